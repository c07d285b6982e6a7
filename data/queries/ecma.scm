; Definitions, scopes, names and imports that JavaScript and TypeScript share.
(program) @scope
(function_declaration name: (identifier) @name body: (_) @body) @symbol.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @symbol.function
(class_declaration name: (_) @name body: (_) @body) @symbol.class
(method_definition name: (_) @name body: (_) @body) @symbol.method
(variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @symbol.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @symbol.class
(program (lexical_declaration "const" (variable_declarator name: (identifier) @name) @symbol.constant))
(program (lexical_declaration "let" (variable_declarator name: (identifier) @name) @symbol.variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @symbol.variable))
(program (export_statement (lexical_declaration "const" (variable_declarator name: (identifier) @name) @symbol.constant)))
(program (export_statement (lexical_declaration "let" (variable_declarator name: (identifier) @name) @symbol.variable)))
(assignment_expression left: (member_expression property: (property_identifier) @name) right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @symbol.method
(pair key: (property_identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @symbol.method

(export_statement declaration: (_ name: (_) @exported))
(export_statement declaration: (_ (variable_declarator name: (identifier) @exported)))
(export_statement "default" declaration: (_ name: (_) @export.local)) @export.default
(export_statement "default" value: (identifier) @export.local) @export.default
(export_statement (export_clause (export_specifier name: (_) @export.local alias: (_)? @export.name)) !source)

(import_statement source: (string (string_fragment) @import.source)) @import
(import_statement (import_clause (identifier) @import.default) source: (string (string_fragment) @import.source)) @import
(import_statement (import_clause (namespace_import (identifier) @import.all)) source: (string (string_fragment) @import.source)) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @import.name alias: (_)? @import.alias))) source: (string (string_fragment) @import.source)) @import
(export_statement "*" source: (string (string_fragment) @import.source)) @reexport
(export_statement (namespace_export (_) @import.all) source: (string (string_fragment) @import.source)) @reexport
(export_statement (export_clause (export_specifier name: (_) @import.name alias: (_)? @import.alias)) source: (string (string_fragment) @import.source)) @reexport

(function_declaration) @scope
(generator_function_declaration) @scope
(function_expression) @scope
(generator_function) @scope
(arrow_function) @scope
(method_definition) @scope
(statement_block) @scope
(for_statement) @scope
(for_in_statement) @scope
(catch_clause) @scope
(class_body) @scope.members
(arrow_function parameter: (identifier) @local)
(variable_declarator name: (identifier) @local)
(variable_declarator name: (identifier) @local value: (new_expression constructor: (identifier) @type))
(variable_declarator name: (identifier) @local value: (call_expression function: (identifier) @type.call))
(for_in_statement left: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(object_pattern (shorthand_property_identifier_pattern) @local)
(object_pattern (pair_pattern value: (identifier) @local))
(object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)
(array_pattern (identifier) @local)
(rest_pattern (identifier) @local)
(assignment_pattern left: (identifier) @local)

(call_expression function: (identifier) @call)
(call_expression function: (member_expression object: (_) @receiver property: (property_identifier) @call))
(new_expression constructor: (identifier) @new)
(new_expression constructor: (member_expression object: (_) @receiver property: (property_identifier) @new))
(member_expression object: (_) @receiver property: (property_identifier) @use)
(identifier) @use
(shorthand_property_identifier) @use
