;;; miscast.el --- miscast for Emacs, in Eglot or next to it  -*- lexical-binding: t; -*-
;; Add (load "…/editors/emacs/miscast.el") to your init file. C and Python files are then checked by
;; `miscast lsp' instead of clangd and pyright: Eglot has one server per buffer. To keep those, add
;; (setq miscast-beside t) before it: findings then come from `miscast check', through Flymake, and
;; hover, hints and fixes are missing.

(require 'eglot)
(require 'flymake)

(defgroup miscast nil "The miscast language server." :group 'tools)
(defcustom miscast-command '("miscast" "lsp") "Command that starts the server." :type '(repeat string))
(defcustom miscast-settings '(:trusted :json-false) "Initial settings of the server." :type 'plist)
(defcustom miscast-beside nil "Whether Eglot uses another server, and miscast shows only findings."
  :type 'boolean)

(defun miscast-contact (&rest _)
  "Return the server command and its settings, in the form Eglot expects."
  (append miscast-command (list :initializationOptions miscast-settings)))

;; ---- findings only, with Flymake ---------------------------------------------------------------

(defvar-local miscast--check nil "The running check of this buffer.")

(defun miscast--findings (buffer)
  "Return diagnostics for BUFFER from `miscast check' output in the current buffer."
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
  "Check the text of this buffer and pass the findings to REPORT, a Flymake callback."
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
  "Show findings in this buffer, next to the diagnostics of its server."
  (when (and buffer-file-name (derived-mode-p 'c-mode 'c-ts-mode 'python-mode 'python-ts-mode))
    (add-hook 'flymake-diagnostic-functions #'miscast-flymake nil t)))

;; ---- setup -------------------------------------------------------------------------------------

(if miscast-beside
    (add-hook 'eglot-managed-mode-hook #'miscast-beside-setup)
  (add-to-list 'eglot-server-programs '((c-mode c-ts-mode python-mode python-ts-mode) . miscast-contact)))
(add-hook 'c-mode-hook #'eglot-ensure)
(add-hook 'c-ts-mode-hook #'eglot-ensure)
(add-hook 'python-mode-hook #'eglot-ensure)
(add-hook 'python-ts-mode-hook #'eglot-ensure)

(provide 'miscast)
;;; miscast.el ends here
