;;; miscast.el --- miscast in Emacs, through Eglot or beside it  -*- lexical-binding: t; -*-
;; Put (load "…/editors/emacs/miscast.el") into your init file. C files are then checked by
;; `miscast lsp', in place of clangd: Eglot has one server for a buffer. To keep clangd, put
;; (setq miscast-beside t) before it: findings then come from `miscast check', through Flymake, and
;; hover, hints and fixes are missing.

(require 'eglot)
(require 'flymake)

(defgroup miscast nil "The language server of miscast." :group 'tools)
(defcustom miscast-command '("miscast" "lsp") "The server." :type '(repeat string))
(defcustom miscast-settings '(:trusted :json-false) "What it is told at the beginning." :type 'plist)
(defcustom miscast-beside nil "Whether another server is Eglot's, and only findings are shown."
  :type 'boolean)

(defun miscast-contact (&rest _)
  "The server and its settings, as Eglot wants them."
  (append miscast-command (list :initializationOptions miscast-settings)))

;; ---- findings alone, for Flymake --------------------------------------------------------------

(defvar-local miscast--check nil "The check of this buffer that runs.")

(defun miscast--findings (buffer)
  "What the current buffer, as `miscast check' wrote it, has to say of BUFFER."
  (let ((file (buffer-file-name buffer))
        (levels '(("error" . :error) ("warning" . :warning) ("note" . :note)))
        (found nil))
    (goto-char (point-min))
    (while (re-search-forward
            "^\\(.+?\\):\\([0-9]+\\):\\([0-9]+\\): \\(error\\|warning\\|note\\): \\(.*\\)$" nil t)
      (let* ((line (string-to-number (match-string 2)))
             (column (string-to-number (match-string 3)))
             (level (cdr (assoc (match-string 4) levels)))
             (text (match-string 5)))
        (when (file-equal-p (match-string 1) file)
          (let ((region (flymake-diag-region buffer line column)))
            (when region
              (push (flymake-make-diagnostic buffer (car region) (cdr region) level text) found))))))
    (nreverse found)))

(defun miscast-flymake (report &rest _)
  "Checks the text of this buffer, and hands the findings to REPORT, as Flymake wants it."
  (when (process-live-p miscast--check)
    (kill-process miscast--check))
  (let ((source (current-buffer)))
    (setq miscast--check
          (make-process
           :name "miscast" :noquery t :connection-type 'pipe
           :buffer (generate-new-buffer " *miscast*")
           :command (list (car miscast-command) "check" "--format" "concise"
                          "--stdin-filename" (buffer-file-name))
           :sentinel
           (lambda (process _)
             (unless (process-live-p process)
               (when (and (buffer-live-p source)
                          (eq process (buffer-local-value 'miscast--check source)))
                 (let ((folder (buffer-local-value 'default-directory source)))
                   (with-current-buffer (process-buffer process)
                     (setq default-directory folder)
                     (funcall report (miscast--findings source)))))
               (kill-buffer (process-buffer process))))))
    (process-send-region miscast--check (point-min) (point-max))
    (process-send-eof miscast--check)))

(defun miscast-beside-setup ()
  "Shows findings in this buffer, beside what its server says."
  (when (and buffer-file-name (derived-mode-p 'c-mode 'c-ts-mode))
    (add-hook 'flymake-diagnostic-functions #'miscast-flymake nil t)))

;; ---- which of the two -------------------------------------------------------------------------

(if miscast-beside
    (add-hook 'eglot-managed-mode-hook #'miscast-beside-setup)
  (add-to-list 'eglot-server-programs '((c-mode c-ts-mode) . miscast-contact)))
(add-hook 'c-mode-hook #'eglot-ensure)
(add-hook 'c-ts-mode-hook #'eglot-ensure)

(provide 'miscast)
;;; miscast.el ends here
