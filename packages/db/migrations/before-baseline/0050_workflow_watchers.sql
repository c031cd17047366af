-- Administrators who get a mail when a run of a workflow fails.
create table system.workflow_watchers (
  workflow_id uuid not null references system.workflows (id) on delete cascade,
  user_id uuid not null references system.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (workflow_id, user_id)
);
create index workflow_watchers_user on system.workflow_watchers (user_id);

-- Failed runs that no mail has reported yet, for each watcher. No foreign keys: their checks would let the end of a run wait
-- for the deletion of a person.
create table system.workflow_failures (
  user_id uuid not null,
  run_id uuid not null,
  workflow_id uuid not null,
  code text not null,
  failed_at timestamptz not null,
  primary key (user_id, run_id)
);

-- When a person got the last mail about failed runs. The process that changes the row sends the next one.
create table system.workflow_digests (
  user_id uuid primary key references system.users (id) on delete cascade,
  mailed_at timestamptz not null
);

create function system.note_failed_run() returns trigger
language plpgsql security definer set search_path = pg_catalog, system, pg_temp as $$
begin
  insert into system.workflow_failures (user_id, run_id, workflow_id, code, failed_at)
  select w.user_id, new.id, new.workflow_id, coalesce(new.error ->> 'code', ''), system.clock()
  from system.workflow_watchers w where w.workflow_id = new.workflow_id
  on conflict do nothing;
  return null;
end $$;

create trigger workflow_runs_note_failure after update of finished_at on system.workflow_runs
  for each row when (new.status = 'FAILED' and new.finished_at is not null and old.finished_at is null and new.origin <> 'TEST')
  execute function system.note_failed_run();

insert into system.templates (key, language, subject, text, html) values
('workflow.failures', 'en', '{% if count == 1 %}A workflow run failed{% else %}{{ count }} workflow runs failed{% endif %}',
$$Hello {{ name }},

{% if count == 1 %}a run of a workflow that you watch has failed:{% else %}{{ count }} runs of workflows that you watch have failed:{% endif %}

{{ failures }}

The next mail follows after {{ minutes }} minutes at the earliest. You get these mails because you watch the workflows; any administrator
can end that on their pages.
$$,
$$<p>Hello {{ name }},</p>
<p>{% if count == 1 %}a run of a workflow that you watch has failed:{% else %}{{ count }} runs of workflows that you watch have failed:{% endif %}</p>
<p style="white-space: pre-line">{{ failures }}</p>
<p>The next mail follows after {{ minutes }} minutes at the earliest. You get these mails because you watch the workflows; any administrator can end that on their pages.</p>
$$),
('workflow.failures', 'de', '{% if count == 1 %}Ein Workflow-Lauf ist fehlgeschlagen{% else %}{{ count }} Workflow-Läufe sind fehlgeschlagen{% endif %}',
$$Hallo {{ name }},

{% if count == 1 %}ein Lauf eines Workflows, den Sie beobachten, ist fehlgeschlagen:{% else %}{{ count }} Läufe von Workflows, die Sie beobachten, sind fehlgeschlagen:{% endif %}

{{ failures }}

Die nächste Mail kommt frühestens nach {{ minutes }} Minuten. Sie bekommen diese Mails, weil Sie die Workflows beobachten; jeder Administrator
kann das auf deren Seiten beenden.
$$,
$$<p>Hallo {{ name }},</p>
<p>{% if count == 1 %}ein Lauf eines Workflows, den Sie beobachten, ist fehlgeschlagen:{% else %}{{ count }} Läufe von Workflows, die Sie beobachten, sind fehlgeschlagen:{% endif %}</p>
<p style="white-space: pre-line">{{ failures }}</p>
<p>Die nächste Mail kommt frühestens nach {{ minutes }} Minuten. Sie bekommen diese Mails, weil Sie die Workflows beobachten; jeder Administrator kann das auf deren Seiten beenden.</p>
$$);
