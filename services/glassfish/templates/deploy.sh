# Brings the beans into the container that runs.
set -eu

java=$(sh "{{ folder }}/java.sh" {{ factor.jdk }})
exec "$java" -XX:TieredStopAtLevel=1 -Djava.io.tmpdir="{{ folder }}/tmp" -Duser.home="{{ folder }}" \
    -jar "{{ site }}/target/glassfish/lib/client/appserver-cli.jar" \
    --host 127.0.0.1 --port {{ port.admin }} --interactive=false \
    deploy --name {{ application }} "{{ site }}/target/beans/{{ application }}-{{ factor.beans }}"
