# Dovecot drops to users by name, also where it runs as one already, and its settings can't ask who that is.
folder=$1
user=$(id -un) group=$(id -gn)
cat > "$folder/user.conf" <<END
default_internal_user = $user
default_internal_group = $group
default_login_user = $user
first_valid_uid = $(id -u)
first_valid_gid = $(id -g)
service auth {
  user = $user
}
service auth-worker {
  user = $user
}
service lmtp {
  user = $user
}
userdb {
  driver = passwd-file
  args = username_format=%n $folder/data/users
  override_fields = uid=$(id -u) gid=$(id -g) home=$folder/data/mail/%n
}
END
PATH=$PATH:/usr/sbin
exec dovecot -F -c "$folder/dovecot.conf"
