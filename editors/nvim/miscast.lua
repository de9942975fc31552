-- miscast in Neovim, 0.7 or newer: put this file into ~/.config/nvim/plugin/. It starts `miscast lsp`
-- for C files, one server for each project. vim.g.miscast may have 'cmd' and 'settings'.
local servers = {}

local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  for _, name in ipairs({ '.miscast.yaml', 'compile_commands.json', 'compile_flags.txt' }) do
    local found = vim.fn.findfile(name, vim.fn.escape(folder, ' ,;') .. ';')
    if found ~= '' then return vim.fn.fnamemodify(found, ':p:h') end
  end
  return folder
end

vim.api.nvim_create_autocmd('FileType', {
  pattern = 'c',
  callback = function(event)
    local wanted, root = vim.g.miscast or {}, root_of(vim.api.nvim_buf_get_name(event.buf))
    local how = { name = 'miscast', cmd = wanted.cmd or { 'miscast', 'lsp' }, root_dir = root,
                  init_options = wanted.settings, on_exit = function() servers[root] = nil end }
    if vim.lsp.start then return vim.lsp.start(how, { bufnr = event.buf }) end
    servers[root] = servers[root] or vim.lsp.start_client(how)
    if servers[root] then vim.lsp.buf_attach_client(event.buf, servers[root]) end
  end,
})
