; What TypeScript adds.
(abstract_class_declaration name: (type_identifier) @name body: (_) @body) @symbol.class
(interface_declaration name: (type_identifier) @name body: (_) @body) @symbol.interface
(type_alias_declaration name: (type_identifier) @name) @symbol.type
(enum_declaration name: (identifier) @name body: (_) @body) @symbol.enum
(internal_module name: (identifier) @name body: (_) @body) @symbol.module
(function_signature name: (identifier) @name) @symbol.function
(method_signature name: (property_identifier) @name) @symbol.method
(abstract_method_signature name: (property_identifier) @name) @symbol.method
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(required_parameter pattern: (identifier) @local type: (type_annotation (type_identifier) @type))
(variable_declarator name: (identifier) @local type: (type_annotation (type_identifier) @type))
(type_parameter name: (type_identifier) @local)
(extends_clause value: (identifier) @inherit)
(extends_type_clause type: (type_identifier) @inherit)
(implements_clause (type_identifier) @implement)
(type_identifier) @type.use
