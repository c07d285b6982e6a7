; Java: definitions, scopes, names and imports.
(program) @scope
(package_declaration [(scoped_identifier) (identifier)] @package)
(import_declaration (scoped_identifier scope: (_) @import.source name: (_) @import.name) .) @import
(import_declaration [(scoped_identifier) (identifier)] @import.source (asterisk) @import.all) @import

(class_declaration name: (identifier) @name body: (_) @body) @symbol.class
(record_declaration name: (identifier) @name body: (_) @body) @symbol.class
(interface_declaration name: (identifier) @name body: (_) @body) @symbol.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @symbol.interface
(annotation_type_element_declaration name: (identifier) @name) @symbol.method
(enum_declaration name: (identifier) @name body: (_) @body) @symbol.enum
(enum_constant name: (identifier) @name) @symbol.constant
(method_declaration type: (_) @type name: (identifier) @name body: (_)? @body) @symbol.method
(constructor_declaration name: (identifier) @name body: (_) @body) @symbol.method
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @symbol.method
(field_declaration (modifiers "static" "final") type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @symbol.constant
(field_declaration (modifiers "final" "static") type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @symbol.constant
(constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @symbol.constant
(_ (modifiers "private") name: (identifier) @hidden)
(field_declaration (modifiers "private") declarator: (variable_declarator name: (identifier) @hidden))

(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @field))
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @field)))

(class_declaration) @scope
(interface_declaration) @scope
(record_declaration) @scope
(method_declaration) @scope
(constructor_declaration) @scope
(compact_constructor_declaration) @scope
(lambda_expression) @scope
(block) @scope
(for_statement) @scope
(enhanced_for_statement) @scope
(catch_clause) @scope
(try_with_resources_statement) @scope
(switch_rule) @scope
(class_body) @scope.members
(interface_body) @scope.members
(enum_body) @scope.members
(annotation_type_body) @scope.members

(field_declaration type: [(type_identifier) @type (generic_type . (type_identifier) @type) (scoped_type_identifier) @type] declarator: (variable_declarator name: (identifier) @local))
(field_declaration declarator: (variable_declarator name: (identifier) @local))
(formal_parameter type: [(type_identifier) @type (generic_type . (type_identifier) @type) (scoped_type_identifier) @type] name: (identifier) @local)
(formal_parameter name: (identifier) @local)
(spread_parameter (variable_declarator name: (identifier) @local))
((local_variable_declaration type: [(type_identifier) @type (generic_type . (type_identifier) @type) (scoped_type_identifier) @type] declarator: (variable_declarator name: (identifier) @local)) (#not-eq? @type "var"))
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local value: (object_creation_expression type: [(type_identifier) @type (generic_type . (type_identifier) @type)])))
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local value: (method_invocation !object name: (identifier) @type.call)))
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local))
((enhanced_for_statement type: (type_identifier) @type name: (identifier) @local) (#not-eq? @type "var"))
(enhanced_for_statement name: (identifier) @local)
(catch_formal_parameter (catch_type . (type_identifier) @type) name: (identifier) @local)
(resource type: (type_identifier) @type name: (identifier) @local)
(resource name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier) @local)
(instanceof_expression right: (type_identifier)? @type name: (identifier) @local)
(type_pattern (type_identifier)? @type (identifier) @local)
(record_pattern_component (identifier) @local)
(type_parameter (type_identifier) @local)

(superclass [(type_identifier) @inherit (generic_type . (type_identifier) @inherit) (scoped_type_identifier (type_identifier) @inherit .)])
(super_interfaces (type_list [(type_identifier) @implement (generic_type . (type_identifier) @implement)]))
(extends_interfaces (type_list [(type_identifier) @inherit (generic_type . (type_identifier) @inherit)]))
(method_reference (identifier) @call .)
(record_pattern . (identifier) @type.use)
(marker_annotation name: (identifier) @type.use)
(annotation name: (identifier) @type.use)
((local_variable_declaration type: (type_identifier) @label) (#eq? @label "var"))
((enhanced_for_statement type: (type_identifier) @label) (#eq? @label "var"))
(element_value_pair key: (identifier) @label)
(type_identifier) @type.use
(identifier) @use
