; What only JavaScript has: parameters without types, fields without types.
(field_definition property: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @symbol.method
(field_definition property: (_) @field value: (new_expression constructor: (identifier) @type))
(formal_parameters (identifier) @local)
(formal_parameters (assignment_pattern left: (identifier) @local right: (new_expression constructor: (identifier) @type)))
(class_heritage [(identifier) @inherit (member_expression property: (property_identifier) @inherit)])
