;;; miscast.el --- miscast in Emacs, through Eglot  -*- lexical-binding: t; -*-
;; Put (load "…/editors/emacs/miscast.el") into your init file. C files are then checked by
;; `miscast lsp', in place of clangd: Eglot has one server for a buffer. docs/editors.md says how to have
;; both.

(require 'eglot)

(defgroup miscast nil "The language server of miscast." :group 'tools)
(defcustom miscast-command '("miscast" "lsp") "The server." :type '(repeat string))
(defcustom miscast-settings '(:trusted :json-false) "What it is told at the beginning." :type 'plist)

(defun miscast-contact (&rest _)
  "The server and its settings, as Eglot wants them."
  (append miscast-command (list :initializationOptions miscast-settings)))

(add-to-list 'eglot-server-programs '((c-mode c-ts-mode) . miscast-contact))
(add-hook 'c-mode-hook #'eglot-ensure)
(add-hook 'c-ts-mode-hook #'eglot-ensure)

(provide 'miscast)
;;; miscast.el ends here
