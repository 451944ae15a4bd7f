create trigger entries_are_not_changed before update on entries
begin select raise(abort, 'entries are final: an entry is never changed'); end;

create trigger entries_are_not_deleted before delete on entries
begin select raise(abort, 'entries are final: an entry is never deleted'); end;

create trigger bodies_are_not_changed before update on bodies
begin select raise(abort, 'bodies are final: erase one, or record anew'); end;

-- Words only, no text: rowid is the place. The words of an erased body are taken out by value.
-- They come in lower case and apart; `ascii` changes nothing about them, whatever their letters.
create virtual table words using fts5 (
    text, content = '', columnsize = 0, detail = none, tokenize = 'ascii'
);
insert into words (words, rank) values ('secure-delete', 1);

create table notes (name text primary key, value text not null) without rowid;
