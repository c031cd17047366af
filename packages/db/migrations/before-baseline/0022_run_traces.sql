-- Where a run's trace goes on from (W3C traceparent): the request, or the run, that began it.
alter table system.workflow_runs add column trace_parent text;
