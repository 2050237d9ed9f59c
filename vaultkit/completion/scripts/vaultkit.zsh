# Completion of vaultkit for zsh. Put this line into ~/.zshrc, below compinit if that is there:
#   eval "$(vaultkit completion zsh)"
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_vaultkit() {
  local -a before values shown
  local line adding= told=
  (( CURRENT > 2 )) && before=("${(@Q)words[2,CURRENT-1]}")
  while IFS= read -r line; do
    case $line in
      ($'\t'*) adding=${line#$'\t'} ;;
      (*$'\t'*) values+=("${line%%$'\t'*}") shown+=("${line%%$'\t'*}  (${line#*$'\t'})") told=1 ;;
      (*) values+=("$line") shown+=("$line") ;;
    esac
  done < <(vaultkit --complete zsh "${before[@]}" "${(Q)PREFIX}" 2>/dev/null)
  if (( $#values )); then
    if [[ -n $told ]]; then compadd -l -d shown -a values; else compadd -a values; fi
  fi
  [[ -n $adding && $PREFIX == --*=* ]] && compset -P '*='
  case $adding in
    (files) _files ;;
    (folders) _files -/ ;;
  esac
}
compdef _vaultkit vaultkit
