create trigger journals_are_not_deleted before delete on journals
begin select raise(abort, 'the row of a journal is final: it is never deleted'); end;

create trigger journals_are_not_renamed before update of number, name, secret on journals
begin select raise(abort, 'the number, name and key of a journal are final'); end;
