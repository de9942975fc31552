;;; Findings in Emacs while clangd is Eglot's server, in batch mode.  -*- lexical-binding: t; -*-

(package-initialize)
(setq eglot-autoshutdown nil eglot-sync-connect 30 eglot-events-buffer-size 0)
(setq miscast-beside t miscast-command (list (getenv "MISCAST") "lsp"))
(load (getenv "MISCAST_EMACS") nil t)
(remove-hook 'c-mode-hook #'eglot-ensure) ; that waits for a person's command

(defun must (holds what)
  (unless holds
    (message "emacs beside: %s" what)
    (kill-emacs 1))
  holds)

;; Those of miscast alone: clangd says what it likes.
(defun findings ()
  (seq-filter (lambda (d) (eq (flymake-diagnostic-backend d) 'miscast-flymake)) (flymake-diagnostics)))

(defun told (count)
  (flymake-start)
  (with-timeout (30 nil)
    (while (not (= (length (findings)) count))
      (accept-process-output nil 0.1))
    t))

(find-file "model.c")
(apply #'eglot (eglot--guess-contact))
(must (string-match-p "clangd" (car (process-command (jsonrpc--process (eglot-current-server)))))
      "clangd is not the server")
(must (told 1) "one finding was expected")
(let ((finding (car (findings))))
  (must (= (line-number-at-pos (flymake-diagnostic-beg finding)) 7) "the finding is elsewhere")
  (must (string-match-p "matmul" (flymake-diagnostic-text finding)) "the finding is another")
  (must (eq (flymake-diagnostic-type finding) :error) "it is no error"))

;; The text as it is in the buffer counts, not the file's.
(goto-char (point-min))
(search-forward "mc_half(mc_ones(mc_shape(2, 2)))")
(replace-match "mc_ones(mc_shape(2, 2))")
(must (told 0) "the finding is still there")
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
