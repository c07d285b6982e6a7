(module name: [(constant) @name (scope_resolution scope: (_) @owner name: (constant) @name)] body: (_)? @body) @symbol.module
(class name: [(constant) @name (scope_resolution scope: (_) @owner name: (constant) @name)] body: (_)? @body) @symbol.class
(method name: (_) @name body: (_)? @body) @symbol.method
(singleton_method name: (_) @name body: (_)? @body) @symbol.method
(alias name: (identifier) @name) @symbol.method
((assignment left: (constant) @name right: (call receiver: (constant) @_maker method: (identifier) @_make)) @symbol.class (#any-of? @_maker "Struct" "Class" "Data") (#any-of? @_make "new" "define"))
((assignment left: (constant) @name right: (_) @_value) @symbol.constant (#not-match? @_value "^(Struct|Class)\\.new|^Data\\.define"))
((call method: (identifier) @_make arguments: (argument_list (simple_symbol) @name @symbol.method)) (#any-of? @_make "attr_reader" "attr_accessor" "attr_writer" "define_method" "def_node_matcher" "def_node_search"))

; What comes after a bare `private`, and what is named by one.
((body_statement (identifier) @_private (method name: (_) @hidden)) (#any-of? @_private "private" "protected"))
((call method: (identifier) @_private arguments: (argument_list (method name: (_) @hidden))) (#any-of? @_private "private" "protected" "private_class_method"))
((call method: (identifier) @_private arguments: (argument_list (singleton_method name: (_) @hidden))) (#eq? @_private "private_class_method"))

((call !receiver method: (identifier) @_require arguments: (argument_list (string (string_content) @import.source))) @include (#any-of? @_require "require" "require_relative" "load"))
((call !receiver method: (identifier) @_require arguments: (argument_list (_) (string (string_content) @import.source))) @include (#eq? @_require "autoload"))

(program) @scope
(module) @scope
(class) @scope
(method) @scope
(singleton_method) @scope
(block) @scope
(do_block) @scope
(lambda) @scope
(method_parameters [(identifier) @local (optional_parameter name: (identifier) @local) (keyword_parameter name: (identifier) @local) (splat_parameter name: (identifier) @local) (hash_splat_parameter name: (identifier) @local) (block_parameter name: (identifier) @local)])
(block_parameters [(identifier) @local (optional_parameter name: (identifier) @local) (keyword_parameter name: (identifier) @local) (splat_parameter name: (identifier) @local) (destructured_parameter (identifier) @local)])
(lambda_parameters [(identifier) @local (optional_parameter name: (identifier) @local) (keyword_parameter name: (identifier) @local)])
(assignment left: (identifier) @local)
((assignment left: (identifier) @local right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @_new)) (#eq? @_new "new"))
(operator_assignment left: (identifier) @local)
(left_assignment_list [(identifier) @local (rest_assignment (identifier) @local)])
(for pattern: (identifier) @local)
(exception_variable (identifier) @local)
((assignment left: (instance_variable) @field right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @_new)) (#eq? @_new "new"))

(superclass [(constant) @inherit (scope_resolution scope: (_) @receiver name: (constant) @inherit)])
((call !receiver method: (identifier) @_mix arguments: (argument_list [(constant) @inherit (scope_resolution scope: (_) @receiver name: (constant) @inherit)])) (#any-of? @_mix "include" "extend" "prepend"))
((call receiver: [(constant) @new (scope_resolution name: (constant) @new)] method: (identifier) @_new) (#eq? @_new "new"))
(call receiver: (_) @receiver method: [(identifier) (constant)] @call)
(call !receiver method: [(identifier) (constant)] @call)
(scope_resolution scope: (_) @receiver name: (constant) @use)
(identifier) @use
(constant) @use
