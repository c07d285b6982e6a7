(package_clause name: (package_identifier) @package)
(import_declaration) @import @import.path

(trait_definition name: (identifier) @name body: (_)? @body) @symbol.interface
(class_definition name: (identifier) @name body: (_)? @body) @symbol.class
(object_definition name: (identifier) @name body: (_)? @body) @symbol.class
(enum_definition name: (identifier) @name body: (_) @body) @symbol.enum
(simple_enum_case name: (identifier) @name) @symbol.constant
(full_enum_case name: (identifier) @name) @symbol.constant
(type_definition name: (type_identifier) @name) @symbol.type
(given_definition name: (identifier) @name body: (_)? @body) @symbol.variable
(compilation_unit (function_definition name: (_) @name return_type: (type_identifier)? @type body: (_) @body) @symbol.function)
(package_clause body: (template_body (function_definition name: (_) @name return_type: (type_identifier)? @type body: (_) @body) @symbol.function))
(extension_definition body: (function_definition name: (_) @name return_type: (type_identifier)? @type body: (_) @body) @symbol.function)
(template_body (function_definition name: (_) @name return_type: (type_identifier)? @type body: (_) @body) @symbol.method)
(with_template_body (function_definition name: (_) @name return_type: (type_identifier)? @type body: (_) @body) @symbol.method)
(enum_body (function_definition name: (_) @name return_type: (type_identifier)? @type body: (_) @body) @symbol.method)
(block (function_definition name: (_) @name return_type: (type_identifier)? @type body: (_) @body) @symbol.function)
(indented_block (function_definition name: (_) @name return_type: (type_identifier)? @type body: (_) @body) @symbol.function)
(function_declaration name: (_) @name return_type: (type_identifier)? @type) @symbol.method
(compilation_unit (val_definition pattern: (identifier) @name type: (type_identifier)? @type) @symbol.constant)
(compilation_unit (var_definition pattern: (identifier) @name type: (type_identifier)? @type) @symbol.variable)
(object_definition body: (template_body (val_definition pattern: (identifier) @name type: (type_identifier)? @type) @symbol.constant))
(object_definition body: (template_body (var_definition pattern: (identifier) @name type: (type_identifier)? @type) @symbol.variable))

((_ (modifiers (access_modifier) @_seen) name: (_) @hidden) (#match? @_seen "^private$"))
((_ (modifiers (access_modifier) @_seen) pattern: (identifier) @hidden) (#match? @_seen "^private$"))

(compilation_unit) @scope
(function_definition) @scope
(lambda_expression) @scope
(block) @scope
(indented_block) @scope
(for_expression) @scope
(case_clause) @scope
(template_body) @scope.members
(with_template_body) @scope.members
(enum_body) @scope.members
(parameter name: (identifier) @local type: (type_identifier)? @type)
(lambda_expression parameters: (identifier) @local)
(binding name: (identifier) @local type: (type_identifier)? @type)
(enumerator . (identifier) @local)
(case_clause pattern: (identifier) @local)
(case_class_pattern pattern: (identifier) @local)
(typed_pattern pattern: (identifier) @local type: (type_identifier) @type)
(type_parameters name: (identifier) @local)
(block (val_definition pattern: (identifier) @local type: (type_identifier) @type))
(block (val_definition pattern: (identifier) @local value: (instance_expression (type_identifier) @type)))
(block (val_definition pattern: (identifier) @local value: (call_expression function: (identifier) @type.call)))
(block [(val_definition pattern: (identifier) @local) (var_definition pattern: (identifier) @local)])
(indented_block (val_definition pattern: (identifier) @local type: (type_identifier) @type))
(indented_block (val_definition pattern: (identifier) @local value: (instance_expression (type_identifier) @type)))
(indented_block (val_definition pattern: (identifier) @local value: (call_expression function: (identifier) @type.call)))
(indented_block [(val_definition pattern: (identifier) @local) (var_definition pattern: (identifier) @local)])
(class_parameter name: (identifier) @field type: (type_identifier) @type)
(template_body [(val_definition pattern: (identifier) @field type: (type_identifier) @type) (var_definition pattern: (identifier) @field type: (type_identifier) @type)])

(extends_clause . type: (type_identifier) @inherit)
(extends_clause . type: (generic_type type: (type_identifier) @inherit))
(extends_clause "with" (type_identifier) @implement)
(extends_clause "with" (generic_type type: (type_identifier) @implement))
(instance_expression (type_identifier) @new)
(instance_expression (generic_type type: (type_identifier) @new))
(call_expression function: (identifier) @call)
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (field_expression value: (_) @receiver field: (identifier) @call))
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (identifier) @call)))
(infix_expression left: (_) @receiver operator: (identifier) @call)
(field_expression value: (_) @receiver field: (identifier) @use)
(identifier) @use
(type_identifier) @type.use
