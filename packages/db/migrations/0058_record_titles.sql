-- The place of the column in the title of a record, and the texts around it: {"place": 1, "before": "", "after": ""}.
alter table system.resource_columns add column title_part jsonb check (jsonb_typeof(title_part) = 'object');
