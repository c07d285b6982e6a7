; What only JavaScript has: parameters without types, CommonJS.
(formal_parameters (identifier) @local)
(class_heritage (identifier) @inherit)
