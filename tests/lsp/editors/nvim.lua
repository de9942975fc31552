-- Neovim's own client: the file is opened, its finding shown, hovered over and mended. Headless, as
-- code_action{apply=true} would ask a person: the action is requested, and its edit applied.
local function must(holds, what)
  if not holds then
    io.stderr:write('nvim: ' .. what .. '\n')
    vim.cmd('cquit 1')
  end
  return holds
end

local file = vim.env.MISCAST_FILE
local kind = file:find('%.py$') and 'python' or 'c'
local word = kind == 'python' and 'float16' or 'f16'

-- What was told last; its version grows with the text.
local last = { version = -1 }
local shown = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(err, result, ...)
  last = result
  return shown(err, result, ...)
end

-- After the change, the next that is told has so many findings; nil: any number.
local function told(change, count)
  local before = last.version
  change()
  return vim.wait(30000, function() return last.version > before end, 20) and
    (not count or (#last.diagnostics == count and #vim.diagnostic.get(0) == count))
end

must(told(function() vim.cmd('edit ' .. file .. ' | setfiletype ' .. kind) end, 1), 'one finding was expected')
local finding = vim.diagnostic.get(0)[1]
must(finding.lnum == 6 and finding.col == 11, 'the finding is elsewhere: ' .. vim.inspect(finding))
must(finding.source == 'miscast', 'the finding has no source')
must(finding.user_data.lsp.code == 'matmul-dtype', 'the finding has no rule')
must(#finding.user_data.lsp.relatedInformation >= 2, 'it is not told where that began')

vim.api.nvim_win_set_cursor(0, { 7, kind == 'python' and 11 or 21 })
local params = vim.lsp.util.make_position_params()
local _, hover = next(must(vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 10000), 'no hover'))
must(hover.result and hover.result.contents.value:find(word, 1, true), 'the hover does not say ' .. word)

local asked = vim.lsp.util.make_range_params()
asked.context = { diagnostics = { finding.user_data.lsp } }
local id, answer = next(must(vim.lsp.buf_request_sync(0, 'textDocument/codeAction', asked, 10000), 'no actions'))
local fix
for _, action in ipairs(answer.result) do
  if not fix and action.edit and not action.title:find('ignore', 1, true) then fix = action end
end
must(fix, 'there is no fix')
local encoding = vim.lsp.get_client_by_id(id).offset_encoding
must(told(function() vim.lsp.util.apply_workspace_edit(fix.edit, encoding) end, 0), 'the finding is still there')

-- broken by hand, and undone
vim.cmd('let &undolevels = &undolevels')
must(told(function() vim.cmd([[silent %s/w = /w == /]]) end), 'nothing is told of broken code')
must(told(function() vim.cmd('silent undo') end, 0), 'undone, and not clean')
vim.cmd('silent write!')

if kind == 'python' then vim.cmd('quitall!') end

-- headers, which Neovim takes for C++, are the server's, too; C++ is not
local function is_attached()
  return next(vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 }) or vim.lsp.buf_get_clients(0)) ~= nil
end
vim.cmd('edit own.h | setfiletype cpp')
must(vim.wait(10000, is_attached, 20), 'a header is not told to the server')
vim.cmd('edit own.cpp | setfiletype cpp')
must(not vim.wait(200, is_attached, 20), 'C++ is told to the server')
vim.cmd('quitall!')
