# Brings the beans into the container that runs.
set -eu

java=$(sh "{{ folder }}/java.sh" {{ factor.jdk }})
glassfish="{{ site }}/target/glassfish"
beans="{{ folder }}/beans"

rm -rf "$beans"
cp -r "{{ site }}/target/beans/{{ application }}-{{ factor.beans }}" "$beans"
{% if factor.passing == "reference" %}
sed -i 's#<pass-by-reference>false<#<pass-by-reference>true<#' "$beans/META-INF/sun-ejb-jar.xml"
{% endif %}
# Which columns the tables have that entities are kept in, the database knows, and GlassFish wants to be told in a file.
mappings="$beans/META-INF/sun-cmp-mappings.xml"
if [ -f "$mappings" ]; then
    tables=$(sed -n 's#.*<table-name>\(.*\)</table-name>.*#-table \1#p' "$mappings" | sort -u)
    # shellcheck disable=SC2086 # Each of them is two words.
    "$java" -XX:TieredStopAtLevel=1 -Djava.io.tmpdir="{{ folder }}/tmp" \
        --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED \
        --add-opens=java.sql/java.sql=ALL-UNNAMED \
        -cp "$glassfish/modules/*:$glassfish/lib/bootstrap/*:$glassfish/lib/*" \
        com.sun.jdo.spi.persistence.support.ejb.util.CaptureSchemaWrapper \
        -driver org.mariadb.jdbc.Driver \
        -dburl "jdbc:mariadb://$TIERBENCH_DB_HOST:$TIERBENCH_DB_PORT/$TIERBENCH_DB_NAME?useMysqlMetadata=true" \
        -username "$TIERBENCH_DB_USER" -password "$TIERBENCH_DB_PASSWORD" \
        $tables -out "$beans/database.dbschema"
fi

administer() {
    "$java" -XX:TieredStopAtLevel=1 -Djava.io.tmpdir="{{ folder }}/tmp" -Duser.home="{{ folder }}" \
        -jar "$glassfish/lib/client/appserver-cli.jar" \
        --host 127.0.0.1 --port {{ port.admin }} --interactive=false "$@"
}

# Its connections are made now, and not beside the first calls.
administer ping-connection-pool database
administer deploy --name {{ application }} "$beans"
