; Python: definitions, scopes, names and imports.
(module) @scope
(function_definition name: (identifier) @name return_type: (type)? @type body: (block . (expression_statement (string (string_content) @doc))? ) @body) @symbol.function
(class_definition name: (identifier) @name body: (block . (expression_statement (string (string_content) @doc))?) @body) @symbol.class
(type_alias_statement left: (type (identifier) @name)) @symbol.type
(assignment left: (identifier) @name type: (type)? @type) @outer.value

(class_definition body: (block (expression_statement (assignment left: (identifier) @field type: (type) @type))))
((assignment left: (attribute object: (identifier) @_self attribute: (identifier) @field) type: (type) @type) (#eq? @_self "self"))
((assignment left: (attribute object: (identifier) @_self attribute: (identifier) @field) right: (call function: (identifier) @type)) (#eq? @_self "self"))

(import_statement name: (dotted_name . (identifier) @import.all .) @import.source) @import
(import_statement name: (dotted_name (identifier) (identifier)) @import.source) @import
(import_statement name: (aliased_import name: (dotted_name) @import.source alias: (identifier) @import.all)) @import
(import_from_statement module_name: (_) @import.source name: [(dotted_name) @import.name (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias)]) @import
(import_from_statement module_name: (_) @import.source (wildcard_import) @import.all) @import

(function_definition) @scope
(lambda) @scope
(list_comprehension) @scope
(set_comprehension) @scope
(dictionary_comprehension) @scope
(generator_expression) @scope
(class_definition body: (block) @scope.members)

(parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(default_parameter name: (identifier) @local)
(typed_parameter . (identifier) @local type: (type [(identifier) @type (string (string_content) @type) (generic_type . (identifier) @type) (binary_operator left: (identifier) @type)])?)
(typed_default_parameter name: (identifier) @local type: (type [(identifier) @type (string (string_content) @type) (generic_type . (identifier) @type) (binary_operator left: (identifier) @type)])?)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(type_parameter (type (identifier) @local))
(assignment left: (identifier) @local type: (type (identifier) @type))
(assignment left: (identifier) @local right: (call function: (identifier) @type.call))
(assignment left: (identifier) @local right: (await (call function: (identifier) @type.call)))
(augmented_assignment left: (identifier) @local)
(named_expression name: (identifier) @local value: (call function: (identifier) @type.call)?)
(pattern_list (identifier) @local)
(tuple_pattern (identifier) @local)
(list_pattern (identifier) @local)
(for_statement left: (identifier) @local)
(for_in_clause left: (identifier) @local)
(as_pattern . (call function: (identifier) @type.call) alias: (as_pattern_target (identifier) @local))
(except_clause (as_pattern . (identifier) @type alias: (as_pattern_target (identifier) @local)))
(as_pattern_target (identifier) @local)
(case_pattern (dotted_name . (identifier) @local .))
(global_statement (identifier) @outer)
(nonlocal_statement (identifier) @outer)

(class_definition superclasses: (argument_list [(identifier) @inherit (subscript . (identifier) @inherit) (attribute object: (_) attribute: (identifier) @inherit)]))
(class_pattern (dotted_name (identifier) @type.use .))
(type (identifier) @type.use)
(type (generic_type (identifier) @type.use))
(keyword_argument name: (identifier) @label)
(identifier) @use
