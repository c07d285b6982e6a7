(function_definition name: (word) @name body: (_) @body) @symbol.function
(program (variable_assignment name: (variable_name) @name) @symbol.variable)
((program (declaration_command . _ @_how (variable_assignment name: (variable_name) @name) @symbol.constant)) (#any-of? @_how "readonly"))
((program (declaration_command . _ @_how (variable_assignment name: (variable_name) @name) @symbol.variable)) (#any-of? @_how "export" "declare" "typeset"))

((command name: (command_name (word) @_source) . argument: [(word) @import.source (string . (string_content) @import.source .) (string (_) (string_content) @import.source .) (concatenation (word) @import.source .)]) @include (#any-of? @_source "source" "."))

(program) @scope
(function_definition) @scope
((declaration_command . "local" (variable_assignment name: (variable_name) @local)))
((declaration_command . "local" (variable_name) @local))

(command name: (command_name (word) @call))
((simple_expansion (variable_name) @use) (#not-match? @use "^[0-9]"))
((expansion (variable_name) @use) (#not-match? @use "^[0-9]"))
(arithmetic_expansion (binary_expression (variable_name) @use))
(function_definition body: (compound_statement (variable_assignment name: (variable_name) @use)))
