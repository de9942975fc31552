-- miscast for Neovim 0.7 or newer: copy this file to ~/.config/nvim/plugin/. It starts `miscast lsp`
-- for Python files, C files and headers, one server per project, next to others such as pyright, ruff
-- and clangd. vim.g.miscast may have 'cmd' and 'settings'.
local servers = {}

local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  for _, name in ipairs({ '.miscast.yaml', 'compile_commands.json', 'compile_flags.txt', 'pyproject.toml', 'setup.py' }) do
    local found = vim.fn.findfile(name, vim.fn.escape(folder, ' ,;') .. ';')
    if found ~= '' then return vim.fn.fnamemodify(found, ':p:h') end
  end
  return folder
end

vim.api.nvim_create_autocmd('FileType', {
  pattern = { 'c', 'cpp', 'python' },
  callback = function(event)
    local file = vim.api.nvim_buf_get_name(event.buf)
    -- Neovim treats every header as C++, unless vim.g.c_syntax_for_h is set.
    if event.match == 'cpp' and not file:find('%.h$') then return end
    local wanted, root = vim.g.miscast or {}, root_of(file)
    local how = { name = 'miscast', cmd = wanted.cmd or { 'miscast', 'lsp' }, root_dir = root,
                  init_options = wanted.settings,
                  get_language_id = function(_, kind) return kind == 'python' and kind or 'c' end,
                  on_exit = function() servers[root] = nil end }
    if vim.lsp.start then return vim.lsp.start(how, { bufnr = event.buf }) end
    servers[root] = servers[root] or vim.lsp.start_client(how)
    if servers[root] then vim.lsp.buf_attach_client(event.buf, servers[root]) end
  end,
})
