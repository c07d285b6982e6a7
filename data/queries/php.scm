(namespace_definition name: (namespace_name) @package)
(namespace_use_declaration) @import @import.path
(include_expression (string (string_content) @import.source)) @include
(include_once_expression (string (string_content) @import.source)) @include
(require_expression (string (string_content) @import.source)) @include
(require_once_expression (string (string_content) @import.source)) @include
(include_once_expression (binary_expression right: (string (string_content) @import.source))) @include
(include_expression (binary_expression right: (string (string_content) @import.source))) @include
(require_expression (binary_expression right: (string (string_content) @import.source))) @include
(require_once_expression (binary_expression right: (string (string_content) @import.source))) @include

(class_declaration name: (name) @name body: (_) @body) @symbol.class
(interface_declaration name: (name) @name body: (_) @body) @symbol.interface
(trait_declaration name: (name) @name body: (_) @body) @symbol.class
(enum_declaration name: (name) @name body: (_) @body) @symbol.enum
(enum_case name: (name) @name) @symbol.constant
(const_element . (name) @name) @symbol.constant
(function_definition name: (name) @name return_type: (named_type (name) @type)? body: (_) @body) @symbol.function
(method_declaration name: (name) @name return_type: (named_type (name) @type)? body: (_)? @body) @symbol.method
((function_call_expression function: (name) @_define arguments: (arguments . (argument (string (string_content) @name)))) @symbol.constant (#eq? @_define "define"))

((method_declaration (visibility_modifier) @_seen name: (name) @hidden) (#eq? @_seen "private"))
((const_declaration (visibility_modifier) @_seen (const_element (name) @hidden)) (#eq? @_seen "private"))

(program) @scope
(function_definition) @scope
(method_declaration) @scope
(anonymous_function) @scope
(arrow_function) @scope
(declaration_list) @scope.members
(enum_declaration_list) @scope.members
(simple_parameter type: (named_type (name) @type) name: (variable_name) @local)
(simple_parameter type: (optional_type (named_type (name) @type)) name: (variable_name) @local)
(simple_parameter name: (variable_name) @local)
(variadic_parameter name: (variable_name) @local)
(property_promotion_parameter name: (variable_name) @local)
(assignment_expression left: (variable_name) @local)
(assignment_expression left: (variable_name) @local right: (object_creation_expression (name) @type))
(assignment_expression left: (variable_name) @local right: (function_call_expression function: (name) @type.call))
(assignment_expression left: (list_literal (variable_name) @local))
(foreach_statement (variable_name) @local)
(foreach_statement (pair (variable_name) @local))
(catch_clause type: (type_list (named_type (name) @type)) name: (variable_name) @local)
(catch_clause name: (variable_name) @local)
(property_promotion_parameter type: [(named_type (name) @type) (optional_type (named_type (name) @type))] name: (variable_name (name) @field))
(property_declaration type: [(named_type (name) @type) (optional_type (named_type (name) @type))] (property_element name: (variable_name (name) @field)))

(class_declaration (base_clause [(name) @inherit (qualified_name prefix: (_)? @receiver (name) @inherit)]))
(interface_declaration (base_clause [(name) @inherit (qualified_name prefix: (_)? @receiver (name) @inherit)]))
(class_interface_clause [(name) @implement (qualified_name prefix: (_)? @receiver (name) @implement)])
(use_declaration [(name) @inherit (qualified_name prefix: (_)? @receiver (name) @inherit)])
(object_creation_expression [(name) @new (qualified_name prefix: (_)? @receiver (name) @new)])
(function_call_expression function: [(name) @call (qualified_name prefix: (_)? @receiver (name) @call)])
(member_call_expression object: (_) @receiver name: (name) @call)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @call)
(scoped_call_expression scope: (_) @receiver name: (name) @call)
(member_access_expression object: (_) @receiver name: (name) @use)
(nullsafe_member_access_expression object: (_) @receiver name: (name) @use)
(class_constant_access_expression . (_) @receiver (name) @use .)
(named_type [(name) @type.use (qualified_name prefix: (_)? @receiver (name) @type.use)])
(attribute (name) @use)
(binary_expression operator: "instanceof" right: (name) @type.use)
(class_constant_access_expression . (name) @use)
(scoped_call_expression scope: (name) @use)
(argument (name) @use)
(binary_expression (name) @use)
(return_statement (name) @use)
(assignment_expression right: (name) @use)
(array_element_initializer (name) @use)
