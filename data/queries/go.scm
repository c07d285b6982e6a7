; Go: definitions, scopes, names and imports.
(source_file) @scope
(package_clause (package_identifier) @package)
(function_declaration name: (identifier) @name result: (_)? @type body: (_)? @body) @symbol.function
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (type_identifier) @owner
  (generic_type type: (type_identifier) @owner)
  (pointer_type [(type_identifier) @owner (generic_type type: (type_identifier) @owner)])
])) name: (field_identifier) @name result: (_)? @type body: (_)? @body) @symbol.method
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @symbol.class
(type_spec name: (type_identifier) @name type: (interface_type)) @symbol.interface
(type_spec name: (type_identifier) @name type: [(type_identifier) (qualified_type) (generic_type) (pointer_type) (map_type) (slice_type) (array_type) (function_type) (channel_type) (parenthesized_type)]) @symbol.type
(type_alias name: (type_identifier) @name) @symbol.type
(interface_type (method_elem name: (field_identifier) @name result: (_)? @type) @symbol.method)
(const_spec name: (identifier) @name type: (_)? @type) @outer.constant
(var_spec name: (identifier) @name type: (_)? @type) @outer.variable

(field_declaration name: (field_identifier) @field type: [
  (type_identifier) @type
  (pointer_type (type_identifier) @type)
  (qualified_type) @type
  (pointer_type (qualified_type) @type)
  (generic_type type: (type_identifier) @type)
])

(import_spec !name path: (interpreted_string_literal (interpreted_string_literal_content) @import.source @import.all)) @import
(import_spec name: (_) @import.all path: (interpreted_string_literal (interpreted_string_literal_content) @import.source)) @import

(function_declaration) @scope
(method_declaration) @scope
(func_literal) @scope
(block) @scope
(if_statement) @scope
(for_statement) @scope
(expression_switch_statement) @scope
(type_switch_statement) @scope
(expression_case) @scope
(type_case) @scope
(default_case) @scope
(communication_case) @scope
(type_spec) @scope
(function_type) @scope
(method_elem) @scope
(interface_type) @scope.members

(parameter_declaration name: (identifier) @local type: [
  (type_identifier) @type
  (pointer_type (type_identifier) @type)
  (qualified_type) @type
  (pointer_type (qualified_type) @type)
  (generic_type type: (type_identifier) @type)
  (pointer_type (generic_type type: (type_identifier) @type))
])
(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier) @local)
(var_spec name: (identifier) @local type: [(type_identifier) @type (qualified_type) @type (pointer_type [(type_identifier) (qualified_type)] @type)])
(short_var_declaration left: (expression_list . (identifier) @local) right: (expression_list . [
  (composite_literal type: [(type_identifier) (qualified_type)] @type)
  (unary_expression operand: (composite_literal type: [(type_identifier) (qualified_type)] @type))
  (call_expression function: (identifier) @type.call)
]))
((short_var_declaration left: (expression_list . (identifier) @local) right: (expression_list . (call_expression function: (identifier) @_new arguments: (argument_list . (type_identifier) @type)))) (#eq? @_new "new"))
(short_var_declaration left: (expression_list (identifier) @local))
(range_clause left: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))
(type_switch_statement alias: (expression_list (identifier) @local))

(type_instantiation_expression type: (type_identifier) @call)
(composite_literal type: [(type_identifier) @new (generic_type type: (type_identifier) @new) (qualified_type package: (_) name: (type_identifier) @new)])
(struct_type (field_declaration_list (field_declaration !name type: [(type_identifier) @inherit (pointer_type (type_identifier) @inherit) (qualified_type package: (_) name: (type_identifier) @inherit)])))
(interface_type (type_elem . (type_identifier) @inherit .))
(composite_literal type: [(type_identifier) (qualified_type) (generic_type)] body: (literal_value (keyed_element . (literal_element (identifier) @label))))
(type_identifier) @type.use
(field_identifier) @use
(identifier) @use
