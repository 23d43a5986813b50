# Becomes the JVM of the version that the factor jdk names, with GlassFish in it.
set -eu

glassfish="{{ site }}/target/glassfish"
agent="{{ site }}/target/agent/jmx_prometheus_javaagent.jar"
java=$(sh "{{ folder }}/java.sh" {{ factor.jdk }})

database=$TIERBENCH_DB_HOST:$TIERBENCH_DB_PORT/$TIERBENCH_DB_NAME
[ "$TIERBENCH_FACTOR_PROTOCOL" = prepared ] && prepared=true || prepared=false
case $TIERBENCH_DB_SERVICE in
    mariadb)
        class=org.mariadb.jdbc.MariaDbDataSource
        # It calls itself MySQL, of which persistence knows the dialect.
        url="jdbc:mariadb://$database?useServerPrepStmts=$prepared&cachePrepStmts=$prepared&useMysqlMetadata=true"
        ;;
    *)
        echo "there is no data source for $TIERBENCH_DB_SERVICE" >&2
        exit 1
        ;;
esac

# A start begins without beans; GlassFish writes down there which ones it was given.
rm -rf "{{ folder }}/applications" "{{ folder }}/generated"
cp "{{ folder }}/domain.xml" "{{ folder }}/config/domain.xml"

# Packages that GlassFish looks into, as its own script starts it.
exec "$java" \
    -Xms{{ factor.heap }} -Xmx{{ factor.heap }} \
    -XX:+ExitOnOutOfMemoryError \
    -Xbootclasspath/a:"$glassfish/lib/bootstrap/glassfish-jul-extension.jar" \
    -Djava.util.logging.manager=org.glassfish.main.jul.GlassFishLogManager \
    -Djava.util.logging.config.file="{{ folder }}/config/logging.properties" \
    -javaagent:"$agent={{ address }}:{{ port.metrics }}:{{ folder }}/metrics.yaml" \
    --add-opens=java.base/java.io=ALL-UNNAMED \
    --add-opens=java.base/java.lang=ALL-UNNAMED \
    --add-opens=java.base/java.util=ALL-UNNAMED \
    --add-opens=java.base/sun.nio.fs=ALL-UNNAMED \
    --add-opens=java.base/sun.net.www.protocol.jrt=ALL-UNNAMED \
    --add-opens=java.base/jdk.internal.vm.annotation=ALL-UNNAMED \
    --add-exports=java.base/jdk.internal.vm.annotation=ALL-UNNAMED \
    --add-opens=java.naming/javax.naming.spi=ALL-UNNAMED \
    --add-exports=java.naming/com.sun.jndi.ldap=ALL-UNNAMED \
    --add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED \
    --add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED \
    -Duser.language=en -Duser.timezone=UTC \
    -Djava.io.tmpdir="{{ folder }}/tmp" \
    -Djava.awt.headless=true \
    -Djava.security.policy="{{ folder }}/config/server.policy" \
    -Djava.security.auth.login.config="{{ folder }}/config/login.conf" \
    -Djavax.net.ssl.keyStore="{{ folder }}/config/keystore.jks" \
    -Djavax.net.ssl.trustStore="{{ folder }}/config/cacerts.jks" \
    -Djdk.corba.allowOutputStreamSubclass=true \
    -Dcom.sun.enterprise.config.config_environment_factory_class=com.sun.enterprise.config.serverbeans.AppserverConfigEnvironmentFactory \
    -Dorg.glassfish.gmbal.no.multipleUpperBoundsException=true \
    -Dcom.sun.aas.instanceRoot="{{ folder }}" \
    -Dcom.sun.aas.installRoot="$glassfish" \
    -Dtierbench.database.class="$class" \
    -Dtierbench.database.url="$url" \
    -Dtierbench.database.user="$TIERBENCH_DB_USER" \
    -Dtierbench.database.password="$TIERBENCH_DB_PASSWORD" \
    -Dtierbench.database.pool="$TIERBENCH_FACTOR_POOL" \
    -cp "$glassfish/modules/glassfish.jar" \
    com.sun.enterprise.glassfish.bootstrap.GlassFishMain \
    -upgrade false -verbose true -debug false -type DAS \
    -domainname domain -domaindir "{{ folder }}" -instancename server \
    -asadmin-classname com.sun.enterprise.admin.cli.AdminMain \
    -asadmin-classpath "$glassfish/lib/client/appserver-cli.jar" -asadmin-args ""
