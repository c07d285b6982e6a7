; Definitions, scopes, names and imports that JavaScript and TypeScript share.
(function_declaration name: (identifier) @name body: (_) @body) @symbol.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @symbol.function
(class_declaration name: (_) @name body: (_) @body) @symbol.class
(method_definition name: (_) @name body: (_) @body) @symbol.method
(variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @symbol.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @symbol.class
(lexical_declaration "const" (variable_declarator name: [(identifier) @name (object_pattern [(shorthand_property_identifier_pattern) @name (pair_pattern value: (identifier) @name)]) (array_pattern (identifier) @name)]) @outer.constant)
(lexical_declaration "let" (variable_declarator name: (identifier) @name) @outer.variable)
(variable_declaration (variable_declarator name: (identifier) @name) @outer.variable)
((assignment_expression left: (member_expression object: (identifier) @_exports property: (property_identifier) @name @exported) right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @symbol.function (#eq? @_exports "exports"))
(assignment_expression left: (member_expression property: (property_identifier) @name) right: [(arrow_function body: (_) @body) (function_expression !name body: (_) @body)]) @symbol.method
(assignment_expression right: (class name: (_) @name body: (_) @body) @symbol.class)
(assignment_expression right: (function_expression name: (_) @name body: (_) @body) @symbol.function)
(pair key: (property_identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @symbol.method

(export_statement declaration: (_ name: (_) @exported))
(export_statement declaration: (_ (variable_declarator name: [(identifier) @exported (object_pattern [(shorthand_property_identifier_pattern) @exported (pair_pattern value: (identifier) @exported)]) (array_pattern (identifier) @exported)])))
(export_statement "default" declaration: (_ name: (_) @export.local)) @export.default
(export_statement "default" value: (identifier) @export.local) @export.default
(export_statement (export_clause [(export_specifier name: (_) @export.local !alias) (export_specifier name: (_) @export.local alias: (_) @export.name)]) !source)
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports) right: [(identifier) @export.local (class name: (_) @export.local) (function_expression name: (_) @export.local)]) @export.default (#eq? @_module "module") (#eq? @_exports "exports"))
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports) right: (object [(shorthand_property_identifier) @export.local (method_definition name: (property_identifier) @export.local) (pair key: (property_identifier) @export.local value: [(arrow_function) (function_expression)]) (pair key: (property_identifier) @export.name value: (identifier) @export.local)])) (#eq? @_module "module") (#eq? @_exports "exports"))
((assignment_expression left: (member_expression object: [(identifier) @_exports (member_expression object: (identifier) @_module property: (property_identifier) @_exports)] property: (property_identifier) @export.name) right: (identifier) @export.local) (#eq? @_exports "exports"))

(import_statement source: (string (string_fragment) @import.source)) @import
(import_statement (import_clause (identifier) @import.default) source: (string (string_fragment) @import.source)) @import
(import_statement (import_clause (namespace_import (identifier) @import.all)) source: (string (string_fragment) @import.source)) @import
(import_statement (import_clause (named_imports [(import_specifier name: (_) @import.name !alias) (import_specifier name: (_) @import.name alias: (_) @import.alias)])) source: (string (string_fragment) @import.source)) @import
(export_statement "*" source: (string (string_fragment) @import.source)) @reexport
(export_statement (namespace_export (_) @import.all) source: (string (string_fragment) @import.source)) @reexport
(export_statement (export_clause [(export_specifier name: (_) @import.name !alias) (export_specifier name: (_) @import.name alias: (_) @import.alias)]) source: (string (string_fragment) @import.source)) @reexport
((call_expression function: [(import) (identifier) @_require] arguments: (arguments . (string (string_fragment) @import.source))) @import (#eq? @_require "require"))
((variable_declarator name: [(identifier) @import.all (object_pattern [(shorthand_property_identifier_pattern) @import.name (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias)])]
  value: [(call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import.source))) @import (await_expression (call_expression function: (import) arguments: (arguments . (string (string_fragment) @import.source))) @import)]) (#eq? @_require "require"))
((variable_declarator name: (identifier) @import.alias value: (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import.source))) @import property: (property_identifier) @import.name)) (#eq? @_require "require"))

(program) @scope.function
[(function_declaration) (generator_function_declaration) (function_expression) (generator_function) (arrow_function) (method_definition)] @scope.function
[(statement_block) (for_statement) (for_in_statement) (catch_clause) (class_declaration) (class) (switch_body)] @scope
(class_body) @scope.members
(arrow_function parameter: (identifier) @local)
(function_expression name: (identifier) @local)
(class name: (_) @local)
(variable_declaration (variable_declarator name: (identifier) @local.function))
(lexical_declaration (variable_declarator name: (identifier) @local value: [(new_expression constructor: [(identifier) (member_expression)] @type) (call_expression function: [(identifier) (member_expression)] @type.call) (await_expression (call_expression function: [(identifier) (member_expression)] @type.call))]))
(variable_declaration (variable_declarator name: (identifier) @local.function value: [(new_expression constructor: [(identifier) (member_expression)] @type) (call_expression function: [(identifier) (member_expression)] @type.call)]))
(for_in_statement left: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(object_pattern [(shorthand_property_identifier_pattern) @local (pair_pattern value: (identifier) @local) (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)])
(array_pattern (identifier) @local)
(rest_pattern (identifier) @local)
(assignment_pattern left: (identifier) @local)
(assignment_expression left: (member_expression object: (this) property: (property_identifier) @field) right: (new_expression constructor: (identifier) @type))

(identifier) @use
(shorthand_property_identifier) @use
(property_identifier) @member
(private_property_identifier) @member
