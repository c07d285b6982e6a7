(import_declaration (identifier) @import.source @import.all) @import

(class_declaration declaration_kind: ["class" "struct" "actor"] name: (type_identifier) @name body: (_) @body) @symbol.class
(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @symbol.enum
(class_declaration declaration_kind: "extension" name: (user_type . (type_identifier) @name) body: (_) @body) @symbol.module
(protocol_declaration name: (type_identifier) @name body: (_) @body) @symbol.interface
(typealias_declaration name: (type_identifier) @name) @symbol.type
(enum_entry name: (simple_identifier) @name @symbol.constant)
(source_file (function_declaration name: (simple_identifier) @name body: (_)? @body) @symbol.function)
(statements (function_declaration name: (simple_identifier) @name body: (_)? @body) @symbol.function)
(class_body (function_declaration name: (simple_identifier) @name body: (_)? @body) @symbol.method)
(enum_class_body (function_declaration name: (simple_identifier) @name body: (_)? @body) @symbol.method)
(protocol_function_declaration name: (simple_identifier) @name) @symbol.method
(function_declaration name: "init" @name body: (_)? @body) @symbol.method
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @symbol.method)
(source_file (property_declaration (value_binding_pattern mutability: "let") name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.constant)
(source_file (property_declaration (value_binding_pattern mutability: "var") name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.variable)

((_ (modifiers (visibility_modifier) @_seen) name: [(simple_identifier) @hidden (type_identifier) @hidden (pattern bound_identifier: (simple_identifier) @hidden)]) (#any-of? @_seen "private" "fileprivate"))

(source_file) @scope
(function_declaration) @scope
(lambda_literal) @scope
(statements) @scope
(for_statement) @scope
(class_body) @scope.members
(enum_class_body) @scope.members
(protocol_body) @scope.members
(parameter name: (simple_identifier) @local (user_type (type_identifier) @type))
(parameter name: (simple_identifier) @local)
(lambda_parameter name: (simple_identifier) @local)
(for_statement item: (pattern (simple_identifier) @local))
(type_parameter (type_identifier) @local)
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @local) (type_annotation (user_type (type_identifier) @type))))
((statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @local) value: (call_expression . (simple_identifier) @type))) (#match? @type "^[A-Z]"))
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @local) value: (call_expression . (navigation_expression) @type.call)))
(statements (property_declaration name: (pattern (simple_identifier) @local)))
(if_statement bound_identifier: (simple_identifier) @local)
(guard_statement bound_identifier: (simple_identifier) @local)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @field) (type_annotation (user_type (type_identifier) @type))))
((class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @field) value: (call_expression . (simple_identifier) @type))) (#match? @type "^[A-Z]"))

(class_declaration declaration_kind: "class" name: (_) . (inheritance_specifier inherits_from: (user_type (type_identifier) @inherit .)))
(inheritance_specifier inherits_from: (user_type (type_identifier) @implement .))
((call_expression . (simple_identifier) @new) (#match? @new "^[A-Z]"))
(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @call)))
(navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @use))
(simple_identifier) @use
(type_identifier) @type.use
