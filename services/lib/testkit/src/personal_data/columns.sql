-- The columns of a schema: their comments, keys and checks.

select jsonb_agg(to_jsonb(described) order by described."table", described.place)
from (
    select
        c.relname as "table", a.attnum as place, a.attname as "name", format_type(a.atttypid, null) as data_type,
        a.attnotnull as is_required, a.atthasdef as has_default, col_description(c.oid, a.attnum) as comment,
        a.attname = 'id' and exists (
            select
            from pg_constraint k
            where k.conrelid = c.oid
                and k.contype = 'p'
                and k.conkey = array[a.attnum]
        ) as is_row_id,
        f.target_table, f.target_column, checked.allowed, checked.length
    from pg_namespace n
    join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p') and not c.relispartition
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    left join lateral (
        select t.relname as target_table, b.attname as target_column
        from pg_constraint k
        join pg_class t on t.oid = k.confrelid
        join pg_attribute b on b.attrelid = t.oid and b.attnum = k.confkey[array_position(k.conkey, a.attnum)]
        where k.conrelid = c.oid
            and k.contype = 'f'
            and a.attnum = any (k.conkey)
        order by k.conname
        limit 1
    ) f on true
    cross join lateral (
        select
            max(substring(d.text from '\m' || a.attname || '\M\)? = ANY \(ARRAY\[''([^'']*)''')) as allowed,
            max(
                coalesce(
                    substring(d.text from 'octet_length\(' || a.attname || '\) = ([0-9]+)'),
                    substring(d.text from '\(' || a.attname || ' ~ ''\^\[0-9a-f\]\{([0-9]+)\}\$')
                )::integer
            ) as length
        from pg_constraint k
        cross join lateral (select pg_get_constraintdef(k.oid) as text) d
        where k.conrelid = c.oid
            and k.contype = 'c'
    ) checked
    where n.nspname = $1
        and c.relname <> '_sqlx_migrations'
) as described
