# Completion of vaultkit for fish. Put this line into ~/.config/fish/config.fish:
#   vaultkit completion fish | source
function __vaultkit_complete
    set -l before (commandline -opc)
    set -e before[1]
    set -l current (commandline -ct)
    for line in (vaultkit --complete fish $before "$current" 2>/dev/null)
        switch $line
            case \tfiles
                __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current")
            case \tfolders
                __fish_complete_directories (string replace -r '^--[^=]*=' '' -- "$current")
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c vaultkit -f -a '(__vaultkit_complete)'
