; Components.
(jsx_opening_element name: [(identifier) @call (member_expression property: (property_identifier) @call)])
(jsx_self_closing_element name: [(identifier) @call (member_expression property: (property_identifier) @call)])
