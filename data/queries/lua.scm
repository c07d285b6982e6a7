; Definitions. A table that functions are put into is their owner.
(function_declaration name: (identifier) @name body: (_)? @body) @symbol.function
(function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name) body: (_)? @body) @symbol.method
(function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name) body: (_)? @body) @symbol.method
(assignment_statement (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name)) (expression_list . value: (function_definition body: (_)? @body))) @symbol.method
(assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (function_definition body: (_)? @body))) @symbol.function
((chunk [
  (assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (_) @_value)) @symbol.variable
  (variable_declaration (assignment_statement (variable_list . name: (identifier) @name) (expression_list . value: (_) @_value))) @symbol.variable
]) (#not-match? @_value "^(require\\b|function\\b)"))
(function_declaration "local" name: (identifier) @hidden)
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @hidden))))
(chunk (return_statement (expression_list (table_constructor (field name: (identifier) @export.name value: (identifier) @export.local)))))
(chunk (return_statement (expression_list . (identifier) @export.local .)) @export.default)

((variable_declaration (assignment_statement (variable_list . name: (identifier) @import.all) (expression_list . value: (function_call name: (identifier) @_require arguments: (arguments . (string content: (_) @import.source)))))) @import (#eq? @_require "require"))
((chunk (function_call name: (identifier) @_require arguments: (arguments . (string content: (_) @import.source))) @include) (#any-of? @_require "require" "dofile"))

; Scopes and what is declared in them.
(chunk) @scope
(block) @scope
(function_declaration) @scope
(function_definition) @scope
(for_statement) @scope
(parameters name: (identifier) @local)
(for_generic_clause (variable_list name: (identifier) @local))
(for_numeric_clause name: (identifier) @local)
(block (variable_declaration (assignment_statement (variable_list name: (identifier) @local))))
(block (variable_declaration (variable_list name: (identifier) @local)))

; Names in use.
(function_call name: (identifier) @call)
(function_call name: (dot_index_expression table: (_) @receiver field: (identifier) @call))
(function_call name: (method_index_expression table: (_) @receiver method: (identifier) @call))
(dot_index_expression table: (_) @receiver field: (identifier) @use)
(identifier) @use
