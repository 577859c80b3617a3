# fault_calls.awk - the public functions that make, fit, ask or load something, and what chooses a method or a likelihood
#
#     awk -f tools/fault_calls.awk build/include/bayeslin.h > build/fault_calls.h
#
# Reads the declarations above the implementation; writes FAULT_CALL(bln_x) for each, so that tests/use/test_faults.c can say which
# of them no life calls.
/^#if defined\(BAYESLIN_IMPLEMENTATION\)/ { exit }
!/^BLN_(API|IN_[A-Z_]+) +(bln_status|bln_likelihood|bln_glm_method) +bln_[a-z0-9_]+ *\(/ { next }
{
    chooses = $2 != "bln_status"
    match($0, /(bln_status|bln_likelihood|bln_glm_method) +bln_[a-z0-9_]+/)
    name = substr($0, RSTART, RLENGTH); sub(/^[a-z_]+ +/, "", name)
    if (name ~ /_(check|check_data|find|status)$/ || name == "bln_reader_fail") next
    if (chooses || name ~ /_(create|create_from|create_source|identity|parse|select|sum|columns|levels)$/ ||
        name ~ /_(load|load_any|read|read_csv|save|write|write_csv|fit|fit_source|fit_statistics|run|sample|predict|relevance)$/ ||
        name ~ /_(init|init_source|step|finish|set_method|objective_at|evidence_at|evidence_outputs)$/ ||
        name ~ /^bln_(posterior|auto_basis|statistics|sequential|program|chains)_/) print "FAULT_CALL(" name ")"
}
