"""ReFrame's settings for Slurm without accounting."""

LAB = {"name": "lab", "scheduler": "squeue", "launcher": "local", "environs": ["none"], "max_jobs": 4}
site_configuration = {
    "systems": [{"name": "cluster", "hostnames": [".*"], "partitions": [LAB]}],
    "environments": [{"name": "none"}],
}
