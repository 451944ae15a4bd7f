-- What a session did: asked for by whoever looks how complete the record of a session is.
create index actions_of_session on actions (journal, session, id);
