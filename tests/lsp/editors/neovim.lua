-- SPDX-License-Identifier: MIT
-- In neovim: the findings of a script, the safe fix by the usual command, and the file on the disk.
-- PROGRAM and FOLDER are in the environment.

local function run()
  vim.cmd('filetype on')
  vim.cmd('edit ' .. os.getenv('FOLDER') .. '/separator.py')
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].filetype = 'python'
  local id = vim.lsp.start_client({
    cmd = { os.getenv('PROGRAM'), 'server' },
    root_dir = os.getenv('FOLDER'),
    name = 'vramlint',
  })
  assert(id, 'the client does not start')
  vim.lsp.buf_attach_client(buffer, id)
  local function findings() return vim.diagnostic.get(buffer) end
  assert(vim.wait(20000, function() return #findings() == 1 end, 20), 'no findings')
  local finding = findings()[1]
  assert(finding.source == 'vramlint' and finding.lnum == 2 and finding.col == 58, vim.inspect(finding))

  -- The version at hand takes no `apply`: the first of the list is taken, the safe fix.
  vim.ui.select = function(items, _, choose) choose(items[1], 1) end
  vim.api.nvim_win_set_cursor(0, { finding.lnum + 1, finding.col })
  vim.lsp.buf.code_action()
  local function line() return vim.api.nvim_buf_get_lines(buffer, 2, 3, false)[1] end
  assert(vim.wait(20000, function() return line():find('max_split_size_mb:128', 1, true) end, 20), 'not fixed: ' .. line())
  assert(vim.wait(20000, function() return #findings() == 0 end, 20), 'the finding is still there')

  local hover = vim.lsp.buf_request_sync(buffer, 'textDocument/hover', {
    textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = 2, character = 45 } }, 20000)
  assert(vim.inspect(hover):find('max_split_size_mb', 1, true), 'no hover')
  vim.cmd('silent write')
  vim.lsp.stop_client(id)
  assert(vim.wait(20000, function() return vim.lsp.client_is_stopped(id) end, 20), 'the client does not stop')
end

local ok, problem = pcall(run)
if ok then
  vim.cmd('qall!')
else
  io.stderr:write(tostring(problem) .. '\n')
  vim.cmd('cquit 1')
end
