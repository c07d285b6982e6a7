; Definitions. What a macro call makes is unknown, so a function without a type is none.
((function_definition type: (_) declarator: (function_declarator declarator: (identifier) @name) body: (_) @body) @symbol.function (#not-any-of? @name "if" "else" "for" "while" "switch" "return"))
((function_definition type: (_) declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) body: (_) @body) @symbol.function (#not-any-of? @name "if" "else" "for" "while" "switch" "return"))
((function_definition type: (_) declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) body: (_) @body) @symbol.function (#not-any-of? @name "if" "else" "for" "while" "switch" "return"))
(function_definition (storage_class_specifier "static") declarator: (function_declarator declarator: (identifier) @hidden))
(function_definition (storage_class_specifier "static") declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @hidden)))

; Prototypes; a static one stands beside its definition.
([
  (translation_unit (declaration type: (_) declarator: [(function_declarator declarator: (identifier) @name) (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]) @symbol.function)
  (preproc_ifdef (declaration type: (_) declarator: [(function_declarator declarator: (identifier) @name) (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]) @symbol.function)
  (preproc_if (declaration type: (_) declarator: [(function_declarator declarator: (identifier) @name) (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]) @symbol.function)
  (preproc_else (declaration type: (_) declarator: [(function_declarator declarator: (identifier) @name) (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]) @symbol.function)
  (declaration_list (declaration type: (_) declarator: [(function_declarator declarator: (identifier) @name) (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]) @symbol.function)
] (#not-match? @symbol.function "^static|^[A-Z_]+\\(") (#not-any-of? @name "if" "else" "for" "while" "switch" "return"))

(struct_specifier name: (type_identifier) @name body: (_) @body) @symbol.class
(union_specifier name: (type_identifier) @name body: (_) @body) @symbol.class
(enum_specifier name: (type_identifier) @name body: (_) @body) @symbol.enum
(enumerator name: (identifier) @name) @symbol.constant
(type_definition type: [(struct_specifier !name body: (_) @body) (union_specifier !name body: (_) @body)] declarator: (type_identifier) @name) @symbol.class
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @symbol.enum
(type_definition type: [(struct_specifier name: (_) body: (_)) (union_specifier name: (_) body: (_)) (enum_specifier name: (_) body: (_))] declarator: (type_identifier) @name @symbol.type)
(type_definition type: [(struct_specifier !body) (union_specifier !body) (enum_specifier !body) (primitive_type) (sized_type_specifier) (type_identifier)] declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name) (array_declarator declarator: (type_identifier) @name)]) @symbol.type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @symbol.type
((preproc_def name: (identifier) @name) @symbol.macro (#not-match? @name "_H(PP|XX)?_*$"))
(preproc_function_def name: (identifier) @name value: (_)? @body) @symbol.macro

(translation_unit (declaration type: (_) @type declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name) (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])]) @symbol.variable)
(translation_unit (preproc_ifdef (declaration type: (_) @type declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name) (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])]) @symbol.variable))
(translation_unit (preproc_if (declaration type: (_) @type declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name) (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])]) @symbol.variable))
(translation_unit (preproc_ifdef (preproc_ifdef (declaration type: (_) @type declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name) (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])]) @symbol.variable)))
(translation_unit (preproc_ifdef (preproc_if (declaration type: (_) @type declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name) (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (array_declarator declarator: (identifier) @name)])]) @symbol.variable)))
((translation_unit (declaration (storage_class_specifier) @_storage declarator: [(identifier) @hidden (pointer_declarator declarator: (identifier) @hidden) (array_declarator declarator: (identifier) @hidden) (init_declarator declarator: [(identifier) @hidden (pointer_declarator declarator: (identifier) @hidden) (array_declarator declarator: (identifier) @hidden)])]))
  (#eq? @_storage "static"))

(preproc_include path: (string_literal (string_content) @import.source)) @include
(preproc_include path: (system_lib_string) @import.source) @include

; Scopes and what is declared in them.
(translation_unit) @scope
(function_definition) @scope
(compound_statement) @scope
(for_statement) @scope
(preproc_function_def) @scope
(preproc_params (identifier) @local)
(parameter_declaration type: [(type_identifier) @type (struct_specifier name: (type_identifier) @type)] declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local) (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local)) (array_declarator declarator: (identifier) @local)])
(parameter_declaration declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local) (array_declarator declarator: (identifier) @local) (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local)))])
(declaration type: [(type_identifier) @type (struct_specifier name: (type_identifier) @type)] declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local) (array_declarator declarator: (identifier) @local) (init_declarator declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local) (array_declarator declarator: (identifier) @local)])])
(declaration declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local) (array_declarator declarator: (identifier) @local) (init_declarator declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local) (array_declarator declarator: (identifier) @local)])])
(field_declaration type: [(type_identifier) @type (struct_specifier name: (type_identifier) @type)] declarator: [(field_identifier) @field (pointer_declarator declarator: (field_identifier) @field) (array_declarator declarator: (field_identifier) @field)])

; Names in use.
(call_expression function: (identifier) @call)
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @call))
(field_expression argument: (_) @receiver field: (field_identifier) @use)
(identifier) @use
(type_identifier) @type.use
