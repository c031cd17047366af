-- The name of the relation whose foreign key the column alone forms; null for the name that the column gives.
alter table system.resource_columns add column relation_name text check (octet_length(relation_name) between 1 and 63);
