-- PostgreSQL considers parallel plans only for a statement that calls no unsafe function. Every statement of the Data API
-- calls the first of these to check its credential, and the second on a server without event triggers.
alter function system.clock() parallel safe;
alter function system.relation_fingerprint(oid) parallel restricted;
