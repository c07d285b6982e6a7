(package_header (identifier) @package)
((import_header (identifier) @import.path . (import_alias (type_identifier) @import.alias)?) @import (#not-match? @import "^import\\s+[^\\s*]+\\.\\*"))
(import_header (identifier) @import.source (wildcard_import) @import.all) @import

(class_declaration "interface" (type_identifier) @name (class_body)? @body) @symbol.interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @symbol.enum
(class_declaration (modifiers)? . "class" . (type_identifier) @name (class_body)? @body) @symbol.class
(object_declaration (type_identifier) @name (class_body)? @body) @symbol.class
(type_alias (type_identifier) @name) @symbol.type
(enum_entry (simple_identifier) @name) @symbol.constant
(source_file (function_declaration (user_type (type_identifier) @owner .) "." (simple_identifier) @name (function_value_parameters) . (user_type (type_identifier) @type)? (function_body)? @body) @symbol.method)
(source_file (function_declaration (simple_identifier) @name (function_value_parameters) . (user_type (type_identifier) @type)? (function_body)? @body) @symbol.function)
(class_body (function_declaration (simple_identifier) @name (function_value_parameters) . (user_type (type_identifier) @type)? (function_body)? @body) @symbol.method)
(enum_class_body (function_declaration (simple_identifier) @name (function_body)? @body) @symbol.method)
(statements (function_declaration (simple_identifier) @name (function_body)? @body) @symbol.function)
((source_file (property_declaration (modifiers (property_modifier) @_const) (variable_declaration (simple_identifier) @name)) @symbol.constant) (#eq? @_const "const"))
((class_body (property_declaration (modifiers (property_modifier) @_const) (variable_declaration (simple_identifier) @name)) @symbol.constant) (#eq? @_const "const"))
(source_file (property_declaration (variable_declaration (simple_identifier) @name (user_type (type_identifier) @type)?)) @symbol.variable)

((function_declaration (modifiers (visibility_modifier) @_seen) (simple_identifier) @hidden) (#eq? @_seen "private"))
((class_declaration (modifiers (visibility_modifier) @_seen) (type_identifier) @hidden) (#eq? @_seen "private"))
((object_declaration (modifiers (visibility_modifier) @_seen) (type_identifier) @hidden) (#eq? @_seen "private"))
((property_declaration (modifiers (visibility_modifier) @_seen) (variable_declaration (simple_identifier) @hidden)) (#eq? @_seen "private"))

(source_file) @scope
(function_declaration) @scope
(lambda_literal) @scope
(control_structure_body) @scope
(for_statement) @scope
(catch_block) @scope
(class_body) @scope.members
(enum_class_body) @scope.members
(type_parameter (type_identifier) @local)
(parameter (simple_identifier) @local (user_type (type_identifier) @type))
(parameter (simple_identifier) @local)
(parameter_with_optional_type (simple_identifier) @local)
(lambda_parameters (variable_declaration (simple_identifier) @local))
(for_statement (variable_declaration (simple_identifier) @local))
(multi_variable_declaration (variable_declaration (simple_identifier) @local))
(catch_block (simple_identifier) @local (user_type (type_identifier) @type))
(statements (property_declaration (variable_declaration (simple_identifier) @local (user_type (type_identifier) @type)?)))
((statements (property_declaration (variable_declaration (simple_identifier) @local) (call_expression . (simple_identifier) @type))) (#match? @type "^[A-Z]"))
((statements (property_declaration (variable_declaration (simple_identifier) @local) (call_expression . (simple_identifier) @type.call))) (#match? @type.call "^[a-z]"))
(class_parameter (binding_pattern_kind) (simple_identifier) @field (user_type (type_identifier) @type))
(class_body (property_declaration (variable_declaration (simple_identifier) @field (user_type (type_identifier) @type))))
((class_body (property_declaration (variable_declaration (simple_identifier) @field) (call_expression . (simple_identifier) @type))) (#match? @type "^[A-Z]"))

(delegation_specifier (constructor_invocation (user_type (type_identifier) @inherit .)))
(delegation_specifier (user_type (type_identifier) @implement .))
((call_expression . (simple_identifier) @new) (#match? @new "^[A-Z]"))
(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression . (_) @receiver (navigation_suffix (simple_identifier) @call)))
(navigation_expression . (_) @receiver (navigation_suffix (simple_identifier) @use))
(callable_reference (simple_identifier) @use)
(simple_identifier) @use
(type_identifier) @type.use
