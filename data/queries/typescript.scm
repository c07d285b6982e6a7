; What TypeScript adds. It stands before what it shares with JavaScript, so that a definition with a type comes first.
(function_declaration name: (identifier) @name return_type: (type_annotation (_) @type) body: (_) @body) @symbol.function
(method_definition name: (_) @name return_type: (type_annotation (_) @type) body: (_) @body) @symbol.method
(variable_declarator name: (identifier) @name value: (arrow_function return_type: (type_annotation (_) @type) body: (_) @body)) @symbol.function
(ambient_declaration (_ (variable_declarator name: (identifier) @name) @outer.variable))
(abstract_class_declaration name: (type_identifier) @name body: (_) @body) @symbol.class
(interface_declaration name: (type_identifier) @name body: (_) @body) @symbol.interface
(type_alias_declaration name: (type_identifier) @name) @symbol.type
(enum_declaration name: (identifier) @name body: (_) @body) @symbol.enum
(enum_body (property_identifier) @symbol.constant @name)
(enum_assignment name: (property_identifier) @name) @symbol.constant
(internal_module name: (identifier) @name body: (_) @body) @symbol.module
(internal_module body: (statement_block (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.constant))))
(function_signature name: (identifier) @name return_type: (type_annotation (_) @type)) @symbol.function
(function_signature name: (identifier) @name) @symbol.function
(method_signature name: (_) @name return_type: (type_annotation (_) @type)) @symbol.method
(method_signature name: (_) @name) @symbol.method
(abstract_method_signature name: (_) @name) @symbol.method
(public_field_definition name: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @symbol.method
(export_statement declaration: (ambient_declaration (_ (variable_declarator name: (identifier) @exported))))
(export_statement declaration: (ambient_declaration (_ name: (_) @exported)))
(export_statement "=" . (identifier) @export.local) @export.default
(import_statement (import_require_clause (identifier) @import.all source: (string (string_fragment) @import.source))) @import

[(abstract_class_declaration) (interface_declaration) (type_alias_declaration) (function_signature) (method_signature) (abstract_method_signature) (function_type) (constructor_type) (call_signature) (construct_signature) (conditional_type) (object_type)] @scope
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(required_parameter pattern: (identifier) @local type: (type_annotation (_) @type))
(optional_parameter pattern: (identifier) @local type: (type_annotation (_) @type))
(required_parameter pattern: (identifier) @local value: (new_expression constructor: (identifier) @type))
(lexical_declaration (variable_declarator name: (identifier) @local type: (type_annotation (_) @type)))
(lexical_declaration (variable_declarator name: (identifier) @local value: (as_expression (_) . [(type_identifier) (generic_type) (nested_type_identifier)] @type)))
(variable_declaration (variable_declarator name: (identifier) @local.function type: (type_annotation (_) @type)))
(variable_declaration (variable_declarator name: (identifier) @local.function value: (as_expression (_) . [(type_identifier) (generic_type) (nested_type_identifier)] @type)))
(type_parameter name: (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)
(infer_type (type_identifier) @local)
(index_signature name: (identifier) @local)
(public_field_definition name: (_) @field type: (type_annotation (_) @type))
(public_field_definition name: (_) @field value: (new_expression constructor: (identifier) @type))
(property_signature name: (property_identifier) @field type: (type_annotation (_) @type))
(required_parameter (accessibility_modifier) pattern: (identifier) @field type: (type_annotation (_) @type))
(required_parameter "readonly" pattern: (identifier) @field type: (type_annotation (_) @type))

(extends_clause value: [(identifier) @inherit (member_expression property: (property_identifier) @inherit)])
(extends_type_clause type: [(type_identifier) @inherit (generic_type name: (type_identifier) @inherit)])
(implements_clause [(type_identifier) @implement (generic_type name: (type_identifier) @implement)])
(type_identifier) @type.use
