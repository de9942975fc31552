;;; The client of Emacs, Eglot, in batch mode: the file is opened, its finding shown, hovered over and
;;; mended.  -*- lexical-binding: t; -*-

(package-initialize)
(setq eglot-autoshutdown nil eglot-sync-connect 30 eglot-events-buffer-size 0)
(load (getenv "MISCAST_EMACS") nil t)
(setq miscast-command (list (getenv "MISCAST") "lsp"))
(remove-hook 'c-mode-hook #'eglot-ensure) ; that waits for a person's command
(remove-hook 'python-mode-hook #'eglot-ensure)
(defvar file (getenv "MISCAST_FILE"))
(defvar word (if (string-suffix-p ".py" file) "float16" "f16"))

(defun must (holds what)
  (unless holds
    (message "emacs: %s" what)
    (kill-emacs 1))
  holds)

(defun findings ()
  (flymake-start)
  (flymake-diagnostics))

(defun told (count)
  (with-timeout (30 nil)
    (while (not (= (length (findings)) count))
      (accept-process-output nil 0.1))
    t))

;; The last thing that the server said of the file; what Flymake shows may be older.
(defvar last-told nil)
(advice-add 'eglot-handle-notification :before
            (lambda (_server method &rest params)
              (when (eq method 'textDocument/publishDiagnostics)
                (setq last-told (plist-get params :diagnostics)))))

(defun told-nothing ()
  (with-timeout (30 nil)
    (while (not (equal last-told [])) (accept-process-output nil 0.1))
    t))

(find-file file)
(apply #'eglot (eglot--guess-contact))
(must (told 1) "one finding was expected")
(let ((finding (car (findings))))
  (must (= (line-number-at-pos (flymake-diagnostic-beg finding)) 7) "the finding is elsewhere")
  (must (string-match-p "matmul" (flymake-diagnostic-text finding)) "the finding is another")
  (must (string-match-p (concat "became " word) (flymake-diagnostic-text finding)) "it is not told where that began")
  (goto-char (flymake-diagnostic-beg finding)))

(let* ((server (eglot-current-server))
       (at (save-excursion
             (when (string= word "f16") (search-forward "("))
             (eglot--TextDocumentPositionParams)))
       (hover (jsonrpc-request server :textDocument/hover at)))
  (must (string-match-p word (plist-get (plist-get hover :contents) :value))
        "the hover does not say the dtype"))

(let* ((actions (eglot-code-actions (line-beginning-position) (line-end-position)))
       (fix (seq-find (lambda (a) (and (plist-get a :edit)
                                       (not (string-match-p "ignore" (plist-get a :title)))))
                      actions)))
  (must fix "there is no fix")
  (setq last-told nil)
  (eglot--apply-workspace-edit (plist-get fix :edit))
  (eglot--signal-textDocument/didChange)
  (must (told-nothing) "the finding is still there"))
(save-buffer)
(eglot-shutdown (eglot-current-server))
