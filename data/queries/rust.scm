; Rust: definitions, scopes, names and imports.
(source_file) @scope
(impl_item type: [
  (type_identifier) @owner
  (generic_type type: (type_identifier) @owner)
  (scoped_type_identifier name: (type_identifier) @owner)
  (reference_type type: (type_identifier) @owner)
  (reference_type type: (generic_type type: (type_identifier) @owner))
] body: (declaration_list [
  (function_item name: (identifier) @name return_type: (_)? @type body: (_) @body) @symbol.method
  (const_item name: (identifier) @name type: (_) @type) @symbol.constant
  (type_item name: (type_identifier) @name) @symbol.type
]))
(trait_item body: (declaration_list [
  (function_item name: (identifier) @name return_type: (_)? @type body: (_) @body) @symbol.method
  (function_signature_item name: (identifier) @name return_type: (_)? @type) @symbol.method
  (associated_type name: (type_identifier) @name) @symbol.type
]))
(function_item name: (identifier) @name return_type: (_)? @type body: (_) @body) @symbol.function
(foreign_mod_item body: (declaration_list (function_signature_item name: (identifier) @name) @symbol.function))
(struct_item name: (type_identifier) @name body: (_)? @body) @symbol.class
(union_item name: (type_identifier) @name body: (_) @body) @symbol.class
(enum_item name: (type_identifier) @name body: (_) @body) @symbol.enum
(enum_variant name: (identifier) @name) @symbol.constant
(trait_item name: (type_identifier) @name body: (_) @body) @symbol.interface
(type_item name: (type_identifier) @name) @symbol.type
(const_item name: (identifier) @name type: (_) @type) @symbol.constant
(static_item name: (identifier) @name type: (_) @type) @symbol.variable
(mod_item name: (identifier) @name body: (_)? @body) @symbol.module
(macro_definition name: (identifier) @name) @symbol.macro

(_ (visibility_modifier) name: (_) @exported)
(enum_variant name: (_) @exported)
(macro_definition name: (_) @exported)
(trait_item body: (declaration_list (_ name: (_) @exported)))
(impl_item trait: (_) body: (declaration_list (_ name: (_) @exported)))

(field_declaration name: (field_identifier) @field type: (_) @type)

(use_declaration . (_) @import.path .) @import
(use_declaration (visibility_modifier) argument: (_) @import.path) @reexport

(function_item) @scope
(closure_expression) @scope
(block) @scope
(match_arm) @scope
(if_expression) @scope
(while_expression) @scope
(for_expression) @scope
(impl_item) @scope
(struct_item) @scope
(enum_item) @scope
(trait_item) @scope
(function_signature_item) @scope
(type_item) @scope
(mod_item body: (declaration_list) @scope)
(impl_item body: (declaration_list) @scope.members)
(trait_item body: (declaration_list) @scope.members)
(enum_variant_list) @scope.members

(parameter pattern: [(identifier) @local (mut_pattern (identifier) @local)] type: [
  (type_identifier) @type
  (generic_type type: (type_identifier) @type)
  (reference_type type: (type_identifier) @type)
  (reference_type type: (generic_type type: (type_identifier) @type))
  (scoped_type_identifier name: (type_identifier) @type)
])
(parameter pattern: (identifier) @local)
(let_declaration pattern: (identifier) @local type: [
  (type_identifier) @type
  (generic_type type: (type_identifier) @type)
  (reference_type type: (type_identifier) @type)
])
(let_declaration pattern: (identifier) @local value: [
  (struct_expression name: (type_identifier) @type)
  (call_expression function: (identifier) @type.call)
  (reference_expression value: (struct_expression name: (type_identifier) @type))
])
((let_declaration pattern: (identifier) @local value: (call_expression function: (scoped_identifier path: (identifier) @type))) (#match? @type "^[A-Z]"))
(let_declaration pattern: (identifier) @local)
(closure_parameters (identifier) @local)
(for_expression pattern: (identifier) @local)
(tuple_pattern (identifier) @local)
(slice_pattern (identifier) @local)
(tuple_struct_pattern type: (_) (identifier) @local)
(field_pattern name: (shorthand_field_identifier) @local)
(field_pattern pattern: (identifier) @local)
(mut_pattern (identifier) @local)
(ref_pattern (identifier) @local)
(reference_pattern (identifier) @local)
(captured_pattern . (identifier) @local)
((match_pattern . (identifier) @local) (#match? @local "^[a-z_]"))
(type_parameter name: (type_identifier) @local)
(const_parameter name: (identifier) @local)

(impl_item trait: [(type_identifier) @implement (generic_type type: (type_identifier) @implement) (scoped_type_identifier name: (type_identifier) @implement)])
(trait_item bounds: (trait_bounds (type_identifier) @inherit))
(struct_expression name: [(type_identifier) @new (scoped_type_identifier name: (type_identifier) @new)])
(macro_invocation macro: [(identifier) @call (scoped_identifier name: (identifier) @call)])
(tuple_struct_pattern type: [(identifier) @use.plain (scoped_identifier name: (identifier) @use.plain)])
(attribute (identifier) @use.plain)
(field_identifier) @member
(type_identifier) @type.use
(identifier) @use
