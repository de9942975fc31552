# database_of COMMAND...: each with DIRECTORY for the folder at hand
database_of() {
    separator='['
    for command; do
        printf '%s%s' "$separator" "$command" | sed "s|DIRECTORY|$PWD|g"
        separator=','
    done >compile_commands.json
    echo ']' >>compile_commands.json
}

# flags TEXT: one command, with these before the file
flags() {
    database_of '{"directory": "DIRECTORY", "file": "a.c", "arguments": ["cc", '"$1"', "-c", "a.c"]}'
}

escape=$(printf '\033[31m')
