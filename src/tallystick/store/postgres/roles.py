"""The role that works on the tables: it does not own them, so the server holds it to one journal at a time.

Who logs in owns the tables, or is a member of the role and owns nothing. Where the role cannot be made, the owner
itself is held to the policies, which are forced; a superuser, or who bypasses them, cannot be held, and is refused.
"""

import psycopg
from msgspec import Struct

from tallystick.core.errors import Unsupported
from tallystick.store.postgres.errors import explained
from tallystick.store.postgres.pipeline import Wire

ROLE = "tallystick"
TAKE_ROLE = f"set role {ROLE}"
_STATE = f"""select me.rolsuper or me.rolbypassrls, work.oid is not null,
    coalesce(pg_has_role(session_user, work.oid, ?), false),
    work.oid is not null and not exists (
        select from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
        where p.polname = 'own' and n.nspname = current_schema() and not has_table_privilege(work.oid, c.oid, 'select'))
    from pg_roles me left join pg_roles work on work.rolname = '{ROLE}' where me.rolname = session_user"""
_MAKE = f"create role {ROLE} nologin"
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
    grant execute on function found_words to {ROLE};
    drop policy if exists found_for_others on words;
    execute format('create policy found_for_others on words to %I using (true)', current_user);
end $$"""
"""The last policy is for the function that searches as the owner; without the role the owner is held to its own."""
_LOCK = "select pg_advisory_xact_lock(7312985644)"
_HINDERED = (
    psycopg.errors.DuplicateObject,
    psycopg.errors.UniqueViolation,
    psycopg.errors.InternalError_,  # "tuple concurrently updated": another database of the server did the same
    psycopg.errors.InsufficientPrivilege,
    psycopg.errors.UndefinedObject,  # the role could not be made
)
"""What keeps the role from being made here and now: what then holds is looked at afterwards."""


class RoleState(Struct, frozen=True):
    """Who logged in, and how the role stands to it."""

    unheld: bool
    there: bool
    joined: bool
    granted: bool

    @property
    def works(self) -> bool:
        return self.joined and self.granted


def establish(wire: Wire) -> bool:
    """Have the role ready, if that can be; whether it is. The schema is up to date, and nobody's role was taken."""
    state = _state(wire)
    if not state.works:
        _try_to_make(wire, state)
        state = _state(wire)
    if not state.works and state.unheld:
        raise Unsupported(
            f"{wire.database} is opened by a user whom row-level security does not hold, and who cannot take the role "
            f'"{ROLE}".',
            hint=f"As an administrator: create role {ROLE} nologin; grant {ROLE} to the user who opens it. "
            "Or open it as a user without SUPERUSER and BYPASSRLS.",
        )
    return state.works


def _state(wire: Wire) -> RoleState:
    way = "SET" if wire.server()[0] >= 160_000 else "MEMBER"
    return RoleState(*wire.send([(_STATE, (way,))])[0][0])


def _try_to_make(wire: Wire, state: RoleState) -> None:
    for wanted, sql in ((not state.there, _MAKE), (not state.joined, _JOIN), (True, _GRANT)):
        if wanted:
            try:
                with explained(wire.database), wire.connection.transaction():
                    wire.connection.execute(_LOCK)
                    wire.connection.execute(sql.encode())
            except Exception as error:
                if not isinstance(error.__cause__, _HINDERED):
                    raise
