#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Brings node_modules here in line with package-lock.json: a whole VS Code as the npm package
# `code-server` carries it, and what drives it. Nothing is compiled: the two packages with binaries
# that are needed have them in it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

wanted=$(sha256sum package-lock.json)
stamp=node_modules/.vramlint-lock
[[ $(cat "$stamp" 2>/dev/null) != "$wanted" ]] || exit 0
npm ci --silent
code=node_modules/code-server/lib/vscode
# `npm ci` refuses there: its lock is out of step with its package.json; `install` follows the lock.
(cd "$code" && npm install --silent --ignore-scripts --omit=dev --no-audit --no-fund)
install -D node_modules/@vscode/ripgrep-linux-x64/bin/rg "$code/node_modules/@vscode/ripgrep/bin/rg"
ln -sfn node_modules "$code/node_modules.asar"
echo "$wanted" >"$stamp"
