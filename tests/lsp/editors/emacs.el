;;; SPDX-License-Identifier: MIT -*- lexical-binding: t -*-
;;; In emacs with eglot: the findings of a script, the safe fix, and the file on the disk.
;;; PROGRAM and FOLDER are in the environment.

;; `-Q' leaves out where Debian keeps its packages.
(dolist (folder '("/usr/share/emacs/site-lisp/elpa/" "/usr/share/emacs/site-lisp/elpa-src/"))
  (when (file-directory-p folder)
    (let ((default-directory folder)) (normal-top-level-add-subdirs-to-load-path))))
(require 'eglot)
(require 'flymake)
(require 'python)
(setq eglot-sync-connect 30
      eglot-autoshutdown t
      eglot-confirm-server-initiated-edits nil
      python-indent-guess-indent-offset nil)
(add-to-list 'eglot-server-programs `(python-mode . (,(getenv "PROGRAM") "server")))

(defun wait-for (what holds)
  (let ((tries 0))
    (while (and (not (funcall holds)) (< tries 400))
      (accept-process-output nil 0.05)
      (setq tries (1+ tries)))
    (unless (funcall holds)
      (message "%s did not come" what)
      (kill-emacs 1))))

(defun findings () (flymake-start) (flymake-diagnostics))

(find-file (expand-file-name "separator.py" (getenv "FOLDER")))
(python-mode)
(apply #'eglot (eglot--guess-contact))
(wait-for "the finding" (lambda () (= 1 (length (findings)))))
(let ((begin (flymake-diagnostic-beg (car (findings)))))
  (unless (equal (line-number-at-pos begin) 3)
    (message "the finding stands on line %s" (line-number-at-pos begin))
    (kill-emacs 1))
  (let ((fix (car (eglot-code-actions begin (1+ begin) "quickfix"))))
    (eglot--apply-workspace-edit (plist-get fix :edit))))
(wait-for "the fix" (lambda () (string-match-p "max_split_size_mb:128" (buffer-string))))
;; The timer that sends changes never fires in batch mode.
(eglot--signal-textDocument/didChange)
(wait-for "the end of the finding" (lambda () (= 0 (length (findings)))))
(save-buffer)
(eglot-shutdown (eglot-current-server))
(kill-emacs 0)
