"""Creates and takes the role that does not own the tables, so that row security limits it to one journal at a time.

The user that logs in owns the tables, or is a member of the role and owns nothing. If the role cannot be created,
the policies apply to the owner itself, because they are forced. They cannot apply to a user with SUPERUSER or
BYPASSRLS, so such a user is refused.
"""

import psycopg
from msgspec import Struct

from tallystick.core.errors import Unsupported
from tallystick.store.postgres.errors import translated_errors
from tallystick.store.postgres.pipeline import PipelineConnection

ROLE = "tallystick"
TAKE_ROLE = f"set role {ROLE}"
_STATE = f"""select me.rolsuper or me.rolbypassrls, work.oid is not null,
    coalesce(pg_has_role(session_user, work.oid, ?), false),
    work.oid is not null and not exists (
        select from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
        where p.polname = 'own' and n.nspname = current_schema() and not has_table_privilege(work.oid, c.oid, 'select'))
        and has_function_privilege(work.oid, 'orphans()', 'execute')
    from pg_roles me left join pg_roles work on work.rolname = '{ROLE}' where me.rolname = session_user"""
_CREATE = f"create role {ROLE} nologin"
_JOIN = f"grant {ROLE} to session_user"
_GRANT = f"""do $$
declare
    schema constant text := current_schema();
    each record;
begin
    execute format('grant usage on schema %I to {ROLE}', schema);
    for each in select c.relname as name from pg_policy p join pg_class c on c.oid = p.polrelid
        join pg_namespace n on n.oid = c.relnamespace where p.polname = 'own' and n.nspname = schema
    loop
        execute format('grant %s on %I to {ROLE}', case each.name
            when 'entries' then 'select, insert' when 'bodies' then 'select, insert, delete'
            else 'select, insert, update, delete' end, each.name);
    end loop;
    grant select on schema_versions to {ROLE};
    grant execute on function found_words, journal_names, orphans to {ROLE};
    drop policy if exists found_for_others on words;
    execute format('create policy found_for_others on words to %I using (true)', current_user);
end $$"""
"""The last policy is for the function that searches as the owner. Without the role, the owner's own policy applies."""
_LOCK = "select pg_advisory_xact_lock(7312985644)"
_EXPECTED_ERRORS = (
    psycopg.errors.DuplicateObject,
    psycopg.errors.UniqueViolation,
    psycopg.errors.InternalError_,  # "tuple concurrently updated": another database of the server did the same
    psycopg.errors.InsufficientPrivilege,
    psycopg.errors.UndefinedObject,  # the role could not be created
)
"""Reasons why the role cannot be created or granted; the resulting state is checked afterwards."""


class RoleState(Struct, frozen=True):
    """The rights of the user that logged in, and whether the role can be used."""

    bypasses_policies: bool
    exists: bool
    is_member: bool
    is_granted: bool

    @property
    def is_usable(self) -> bool:
        return self.is_member and self.is_granted


def establish(pipeline: PipelineConnection) -> bool:
    """Create and grant the role if possible; returns whether it can be taken. Call it after the migrations."""
    state = _state(pipeline)
    if not state.is_usable:
        _try_to_create(pipeline, state)
        state = _state(pipeline)
    if not state.is_usable and state.bypasses_policies:
        raise Unsupported(
            f"{pipeline.database} is opened by a user to whom row-level security does not apply, and who cannot take "
            f'the role "{ROLE}".',
            hint=f"As an administrator: create role {ROLE} nologin; grant {ROLE} to the user who opens it. "
            "Or open it as a user without SUPERUSER and BYPASSRLS.",
        )
    return state.is_usable


def _state(pipeline: PipelineConnection) -> RoleState:
    privilege = "SET" if pipeline.server_info()[0] >= 160_000 else "MEMBER"
    return RoleState(*pipeline.send([(_STATE, (privilege,))])[0][0])


def _try_to_create(pipeline: PipelineConnection, state: RoleState) -> None:
    for is_missing, sql in ((not state.exists, _CREATE), (not state.is_member, _JOIN), (True, _GRANT)):
        if is_missing:
            try:
                with translated_errors(pipeline.database), pipeline.connection.transaction():
                    pipeline.connection.execute(_LOCK)
                    pipeline.connection.execute(sql.encode())
            except Exception as error:
                if not isinstance(error.__cause__, _EXPECTED_ERRORS):
                    raise
