; What C++ has beside C.
(namespace_definition name: (_) @name body: (_) @body) @symbol.module
(class_specifier name: (type_identifier) @name body: (_) @body) @symbol.class
(class_specifier name: (template_type name: (type_identifier) @name) body: (_) @body) @symbol.class
(class_specifier name: (qualified_identifier scope: (_) @owner name: (type_identifier) @name) body: (_) @body) @symbol.class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_) @body) @symbol.class
(alias_declaration name: (type_identifier) @name) @symbol.type
(concept_definition name: (identifier) @name) @symbol.type
(function_definition type: (_) declarator: (reference_declarator (function_declarator declarator: (identifier) @name)) body: (_) @body) @symbol.function
(function_definition declarator: [(function_declarator declarator: (operator_name) @name) (reference_declarator (function_declarator declarator: (operator_name) @name)) (pointer_declarator declarator: (function_declarator declarator: (operator_name) @name))] body: (_) @body) @symbol.function

(field_declaration_list [
  (function_definition declarator: [
    (function_declarator declarator: [(field_identifier) (identifier) (destructor_name) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
    (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  ] body: (_)? @body) @symbol.method
  (field_declaration declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
    (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  ]) @symbol.method
  (declaration declarator: (function_declarator declarator: [(identifier) (destructor_name)] @name)) @symbol.method
  (template_declaration (function_definition declarator: (function_declarator declarator: [(field_identifier) (identifier) (operator_name)] @name) body: (_)? @body) @symbol.method)
  (template_declaration (declaration declarator: (function_declarator declarator: [(field_identifier) (identifier) (operator_name)] @name)) @symbol.method)
])

; Methods that stand outside of their class.
(function_definition declarator: [
  (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [(identifier) (destructor_name) (operator_name)] @name))
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [(identifier) (operator_name)] @name)))
  (reference_declarator (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [(identifier) (operator_name)] @name)))
  (function_declarator declarator: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [(identifier) (destructor_name) (operator_name)] @name)))
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: (identifier) @name))))
  (reference_declarator (function_declarator declarator: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @owner (template_type name: (_) @owner)] name: [(identifier) (operator_name)] @name))))
] body: (_) @body) @symbol.method

; `class MACRO Name {` is read as a function.
(function_definition type: [(class_specifier !body) (struct_specifier !body)] . (ERROR . (identifier) @name) . declarator: (identifier) @inherit body: (compound_statement) @body) @symbol.class
(function_definition type: [(class_specifier !body) (struct_specifier !body)] . declarator: (identifier) @name body: (compound_statement) @body) @symbol.class
(function_definition type: [(class_specifier !body) (struct_specifier !body)] body: (compound_statement [
  (declaration declarator: [(function_declarator declarator: (identifier) @name) (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) (reference_declarator (function_declarator declarator: (identifier) @name))]) @symbol.method
  (labeled_statement (declaration declarator: [(function_declarator declarator: (identifier) @name) (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) (reference_declarator (function_declarator declarator: (identifier) @name))]) @symbol.method)
]))

; Tests of googletest.
((function_definition !type declarator: (function_declarator declarator: (identifier) @_test parameters: (parameter_list . (parameter_declaration type: (type_identifier) @owner !declarator) . (parameter_declaration type: (type_identifier) @name !declarator) .)) body: (_) @body) @symbol.function (#any-of? @_test "TEST" "TEST_F" "TEST_P" "TYPED_TEST"))

; Names of an unnamed namespace stay in their file.
(namespace_definition !name body: (declaration_list (function_definition declarator: [(function_declarator declarator: (identifier) @hidden) (pointer_declarator declarator: (function_declarator declarator: (identifier) @hidden)) (reference_declarator (function_declarator declarator: (identifier) @hidden))])))
(namespace_definition !name body: (declaration_list [(class_specifier name: (type_identifier) @hidden) (struct_specifier name: (type_identifier) @hidden)]))

(using_declaration "namespace" [(identifier) (qualified_identifier)] @import.source) @import
((using_declaration (qualified_identifier) @import.path) @import (#not-match? @import "^using\\s+namespace"))

(lambda_expression) @scope
(for_range_loop) @scope
(catch_clause) @scope
(declaration_list) @scope
(field_declaration_list) @scope.members
(type_parameter_declaration (type_identifier) @local)
(for_range_loop declarator: [(identifier) @local (reference_declarator (identifier) @local)])
(structured_binding_declarator (identifier) @local)
(parameter_declaration type: (type_identifier)? @type declarator: (reference_declarator (identifier) @local))
(optional_parameter_declaration type: (type_identifier)? @type declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local) (reference_declarator (identifier) @local)])
(parameter_declaration type: (qualified_identifier name: (type_identifier) @type) declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local) (reference_declarator (identifier) @local)])
(declaration type: (qualified_identifier name: (type_identifier) @type) declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local) (init_declarator declarator: [(identifier) @local (reference_declarator (identifier) @local)])])
(declaration declarator: (init_declarator declarator: (reference_declarator (identifier) @local)))
(declaration declarator: (init_declarator declarator: (identifier) @local value: (new_expression type: (type_identifier) @type)))
(declaration declarator: (init_declarator declarator: (identifier) @local value: (call_expression function: (identifier) @type.call)))
(field_declaration type: (type_identifier) @type declarator: (reference_declarator (field_identifier) @field))
(field_declaration type: (qualified_identifier name: (type_identifier) @type) declarator: [(field_identifier) @field (pointer_declarator declarator: (field_identifier) @field)])

(base_class_clause [(type_identifier) @inherit (qualified_identifier name: (type_identifier) @inherit) (template_type name: (type_identifier) @inherit) (qualified_identifier name: (template_type name: (type_identifier) @inherit))])
(new_expression type: [(type_identifier) @new (qualified_identifier name: (type_identifier) @new) (template_type name: (type_identifier) @new)])
(compound_literal_expression type: (type_identifier) @new)
(call_expression function: (template_function name: (identifier) @call))
(call_expression function: (qualified_identifier scope: (_) @receiver name: (identifier) @call))
(call_expression function: (qualified_identifier scope: (_) @receiver name: (template_function name: (identifier) @call)))
(call_expression function: (qualified_identifier scope: (_) @receiver name: (qualified_identifier name: (identifier) @call)))
(call_expression function: (field_expression argument: (_) @receiver field: (template_method name: (field_identifier) @call)))
(qualified_identifier scope: (_) @receiver name: (qualified_identifier name: [(identifier) @use (type_identifier) @type.use]))
(qualified_identifier scope: (_) @receiver name: [(identifier) @use (type_identifier) @type.use])
(field_initializer (field_identifier) @use)
(namespace_identifier) @use
