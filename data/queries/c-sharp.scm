; C#: definitions, scopes, names and imports.
(compilation_unit) @scope
(namespace_declaration name: (_) @package)
(file_scoped_namespace_declaration name: (_) @package)
(using_directive !name [(identifier) (qualified_name)] @import.source) @import
(using_directive name: (identifier) @import.all [(qualified_name) (identifier) (generic_name)] @import.source .) @import

(class_declaration name: (identifier) @name body: (_)? @body) @symbol.class
(struct_declaration name: (identifier) @name body: (_)? @body) @symbol.class
(record_declaration name: (identifier) @name body: (_)? @body) @symbol.class
(interface_declaration name: (identifier) @name body: (_)? @body) @symbol.interface
(enum_declaration name: (identifier) @name body: (_)? @body) @symbol.enum
(enum_member_declaration name: (identifier) @name) @symbol.constant
(delegate_declaration name: (identifier) @name) @symbol.type
(method_declaration returns: (_) @type name: (identifier) @name body: (_)? @body) @symbol.method
(constructor_declaration name: (identifier) @name body: (_)? @body) @symbol.method
(local_function_statement type: (_) @type name: (identifier) @name body: (_)? @body) @symbol.function
(property_declaration type: (_) @type name: (identifier) @name accessors: (_)? @body) @symbol.variable
((field_declaration (modifier) @_const (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name))) @symbol.constant (#eq? @_const "const"))
((field_declaration (modifier) @_static (modifier) @_fixed (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name))) @symbol.constant (#eq? @_static "static") (#eq? @_fixed "readonly"))

(compilation_unit (_ name: (identifier) @exported))
(namespace_declaration body: (declaration_list (_ name: (identifier) @exported)))
(interface_declaration body: (declaration_list (_ name: (identifier) @exported)))
(enum_member_declaration name: (identifier) @exported)
((declaration_list (_ (modifier) @_seen name: (identifier) @exported)) (#any-of? @_seen "public" "internal" "protected"))
((field_declaration (modifier) @_seen (variable_declaration (variable_declarator name: (identifier) @exported))) (#any-of? @_seen "public" "internal" "protected"))

(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @field)))
(property_declaration type: (_) @type name: (identifier) @field)
(record_declaration (parameter_list (parameter type: (_) @type name: (identifier) @field)))

(class_declaration) @scope
(struct_declaration) @scope
(record_declaration) @scope
(interface_declaration) @scope
(method_declaration) @scope
(constructor_declaration) @scope
(local_function_statement) @scope
(lambda_expression) @scope
(block) @scope
(for_statement) @scope
(foreach_statement) @scope
(catch_clause) @scope
(using_statement) @scope
(switch_section) @scope
(switch_expression_arm) @scope
(namespace_declaration body: (declaration_list) @scope)
(class_declaration body: (declaration_list) @scope.members)
(struct_declaration body: (declaration_list) @scope.members)
(record_declaration body: (declaration_list) @scope.members)
(interface_declaration body: (declaration_list) @scope.members)
(enum_member_declaration_list) @scope.members

(field_declaration (variable_declaration type: [(identifier) @type (generic_name . (identifier) @type) (nullable_type (identifier) @type)] (variable_declarator name: (identifier) @local)))
(variable_declaration type: [(identifier) @type (generic_name . (identifier) @type) (qualified_name) @type] (variable_declarator name: (identifier) @local))
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @local (object_creation_expression type: [(identifier) @type (generic_name . (identifier) @type)])))
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @local (invocation_expression function: (identifier) @type.call)))
(variable_declarator name: (identifier) @local)
(parameter type: [(identifier) @type (generic_name . (identifier) @type) (nullable_type (identifier) @type) (qualified_name) @type] name: (identifier) @local)
(parameter name: (identifier) @local)
(lambda_expression parameters: (implicit_parameter) @local)
(foreach_statement type: (identifier)? @type left: (identifier) @local)
(catch_declaration type: (identifier)? @type name: (identifier) @local)
(declaration_pattern type: (identifier)? @type name: (identifier) @local)
(declaration_expression type: (identifier)? @type name: (identifier) @local)
(tuple_pattern (identifier) @local)
(type_parameter name: (identifier) @local)

(class_declaration (base_list [(identifier) @inherit (generic_name . (identifier) @inherit) (qualified_name qualifier: (_) @receiver name: (identifier) @inherit)]))
(record_declaration (base_list [(identifier) @inherit (generic_name . (identifier) @inherit) (primary_constructor_base_type type: (identifier) @inherit)]))
(struct_declaration (base_list [(identifier) @implement (generic_name . (identifier) @implement)]))
(interface_declaration (base_list [(identifier) @inherit (generic_name . (identifier) @inherit)]))
(object_creation_expression type: [(identifier) @new (generic_name . (identifier) @new) (qualified_name qualifier: (_) @receiver name: (identifier) @new)])
(invocation_expression function: [(identifier) @call (generic_name . (identifier) @call)])
(invocation_expression function: (member_access_expression expression: (_) @receiver name: [(identifier) @call (generic_name . (identifier) @call)]))
(conditional_access_expression condition: (_) @receiver (member_binding_expression name: (identifier) @call))
(member_access_expression expression: (_) @receiver name: [(identifier) @use (generic_name . (identifier) @use)])
(qualified_name qualifier: (_) @receiver name: (identifier) @use)
(_ type: [(identifier) @type.use (generic_name . (identifier) @type.use) (nullable_type (identifier) @type.use)])
(_ returns: [(identifier) @type.use (generic_name . (identifier) @type.use) (nullable_type (identifier) @type.use)])
(type_argument_list (identifier) @type.use)
(attribute name: (identifier) @type.use)
(argument name: (identifier) @label)
(identifier) @use
