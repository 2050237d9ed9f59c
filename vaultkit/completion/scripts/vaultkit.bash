# Completion of vaultkit for bash. Put this line into ~/.bashrc:
#   eval "$(vaultkit completion bash)"
_vaultkit() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      $'\tfiles') compopt -o default 2>/dev/null ;;
      $'\tfolders') compopt -o dirnames 2>/dev/null ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done < <(vaultkit --complete bash "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -F _vaultkit vaultkit
