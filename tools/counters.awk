# What is derived from hardware counters: functions shared by tools/profile.sh and tools/docs.sh (awk -f counters.awk -f ...).
#
# The caller fills count[id, NAME] with the newest value of each counter, id naming one step, variant and shape, and NAME
# being Nsight Compute's. figure(id, NAME) returns a counter or one of the derived figures below, "" where it is unknown.
# A warp's FFMA is the unit of account: thread FFMAs / 32.
function raw(id, name) { return ((id, name) in count) ? count[id, name] : "" }
function over(a, b) { return (a == "" || b == "" || b + 0 == 0) ? "" : a / b }
function plus(a, b) { return (a == "") ? b : ((b == "") ? a : a + b) }
function warp_fma(id, kind, threads) { # "" where there is none, as of the other kind in a kernel of one precision
    threads = raw(id, "smsp__sass_thread_inst_executed_op_" kind "_pred_on.sum")
    return threads + 0 == 0 ? "" : threads / 32
}
function ffma(id) { return warp_fma(id, "ffma") }
function global(id, what, op) { return raw(id, "l1tex__t_" what "_pipe_lsu_mem_global_op_" op ".sum") }
function copies(id, what, all) { # asynchronous copies: one counter, or the sum of its two parts
    all = global(id, what, "ldgsts")
    return all != "" ? all : plus(global(id, what, "ldgsts_cache_access"), global(id, what, "ldgsts_cache_bypass"))
}
function wavefronts(id, op) { return raw(id, "l1tex__data_pipe_lsu_wavefronts_mem_shared" op ".sum") }
function figure(id, name) {
    if (name == "ffma") return ffma(id)
    if (name == "cycles_per_ffma") return over(raw(id, "smsp__cycles_active.sum"), ffma(id))
    if (name == "ffma_share") return over(100 * ffma(id), raw(id, "smsp__inst_executed.sum"))
    if (name == "dfma") return warp_fma(id, "dfma")
    if (name == "cycles_per_dfma") return over(raw(id, "smsp__cycles_active.sum"), warp_fma(id, "dfma"))
    if (name == "dfma_share") return over(100 * warp_fma(id, "dfma"), raw(id, "smsp__inst_executed.sum"))
    if (name == "lds_per_dfma") return over(raw(id, "smsp__inst_executed_op_shared_ld.sum"), warp_fma(id, "dfma"))
    if (name == "wavefronts_per_dfma") return over(wavefronts(id, ""), warp_fma(id, "dfma"))
    if (name == "fp64_pipe") return warp_fma(id, "dfma") == "" ? "" : raw(id, "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active")
    if (name == "fma_pipe") return raw(id, "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active")
    if (name == "issue_slots") return over(100 * raw(id, "smsp__inst_issued.sum"), raw(id, "smsp__cycles_active.sum"))
    if (name == "load_requests_per_ffma") return over(global(id, "requests", "ld"), ffma(id))
    if (name == "sectors_per_load") return over(global(id, "sectors", "ld"), global(id, "requests", "ld"))
    if (name == "sectors_per_store") return over(global(id, "sectors", "st"), global(id, "requests", "st"))
    if (name == "sectors_per_copy") return over(copies(id, "sectors"), copies(id, "requests"))
    if (name == "copy_requests") return copies(id, "requests")
    if (name == "sectors_per_fetch") return over(raw(id, "l1tex__t_sectors_pipe_tex_mem_texture.sum"), raw(id, "smsp__inst_executed_op_texture.sum"))
    if (name == "lds_per_ffma") return over(raw(id, "smsp__inst_executed_op_shared_ld.sum"), ffma(id))
    if (name == "wavefronts_per_ffma") return over(wavefronts(id, ""), ffma(id))
    if (name == "wavefronts_per_lds") return over(wavefronts(id, "_op_ld"), raw(id, "smsp__inst_executed_op_shared_ld.sum"))
    if (name == "wavefronts_per_sts") return over(wavefronts(id, "_op_st"), raw(id, "smsp__inst_executed_op_shared_st.sum"))
    if (name == "microseconds") return over(raw(id, "gpu__time_duration.sum"), 1000)
    if (name ~ /^stall_/) return raw(id, "smsp__average_warps_issue_stalled_" substr(name, 7) "_per_issue_active.ratio")
    return raw(id, name)
}
function grouped(digits, out) { # 2148000 -> 2,148,000
    for (out = ""; length(digits) > 3; digits = substr(digits, 1, length(digits) - 3))
        out = "," substr(digits, length(digits) - 2) out
    return digits out
}
function readable(value) { # a count for a table: whole below ten million, millions above; a fraction as it is
    if (value == "") return ""
    if (value >= 1e7) return grouped(sprintf("%.0f", value / 1e6)) " M"
    if (value == int(value)) return grouped(sprintf("%.0f", value))
    return value < 10 ? sprintf("%.2f", value) : sprintf("%.1f", value)
}
# The rows of a counter table, in order: shown[i] the figure's name, said[i] its words.
function counter_rows(text, lines, i, parts) {
    text = "microseconds|time under the profiler, us" \
        "\ncycles_per_ffma|cycles per FFMA and scheduler" \
        "\ncycles_per_dfma|cycles per DFMA and scheduler" \
        "\nfma_pipe|FMA pipe active, %" \
        "\nfp64_pipe|FP64 pipe active, %" \
        "\nissue_slots|issue slots used, %" \
        "\nsmsp__inst_executed.sum|warp instructions" \
        "\nffma|of which FFMA" \
        "\nffma_share|of which FFMA, %" \
        "\ndfma|of which DFMA" \
        "\ndfma_share|of which DFMA, %" \
        "\nl1tex__t_requests_pipe_lsu_mem_global_op_ld.sum|global load requests" \
        "\nsectors_per_load|sectors per global load request" \
        "\ncopy_requests|async copy requests" \
        "\nsectors_per_copy|sectors per async copy request" \
        "\nsmsp__inst_executed_op_texture.sum|texture fetches" \
        "\nsectors_per_fetch|sectors per texture fetch" \
        "\nsectors_per_store|sectors per global store request" \
        "\nsmsp__inst_executed_op_shared_ld.sum|shared load instructions" \
        "\nlds_per_ffma|shared load instructions per FFMA" \
        "\nlds_per_dfma|shared load instructions per DFMA" \
        "\nl1tex__data_pipe_lsu_wavefronts_mem_shared.sum|shared wavefronts" \
        "\nwavefronts_per_ffma|shared wavefronts per FFMA" \
        "\nwavefronts_per_dfma|shared wavefronts per DFMA" \
        "\nwavefronts_per_lds|wavefronts per shared load" \
        "\nwavefronts_per_sts|wavefronts per shared store" \
        "\nl1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum|bank conflicts, loads" \
        "\nl1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum|bank conflicts, stores" \
        "\nlts__t_sector_hit_rate.pct|L2 hit rate, %" \
        "\nstall_dispatch_stall|stalled on dispatch, warps per issue" \
        "\nstall_short_scoreboard|stalled on shared memory (short scoreboard)" \
        "\nstall_long_scoreboard|stalled on global memory (long scoreboard)" \
        "\nstall_mio_throttle|stalled on the shared-memory queue (MIO throttle)" \
        "\nstall_lg_throttle|stalled on the global-memory queue (LG throttle)" \
        "\nstall_tex_throttle|stalled on the texture queue (TEX throttle)" \
        "\nstall_barrier|stalled at a barrier" \
        "\nstall_math_pipe_throttle|stalled on a busy pipe" \
        "\nstall_wait|stalled on a fixed latency (wait)" \
        "\nstall_no_instruction|stalled on instruction fetch" \
        "\nstall_not_selected|ready but not selected" \
        "\nlaunch__registers_per_thread|registers per thread"
    rows_ = split(text, lines, "\n")
    for (i = 1; i <= rows_; i++) { split(lines[i], parts, "|"); shown[i] = parts[1]; said[i] = parts[2] }
    return rows_
}
function ncu_name(name) { # which counter a figure is read from, for the table's last column
    if (name == "ffma") return "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum / 32"
    if (name == "cycles_per_ffma") return "smsp__cycles_active.sum / FFMA"
    if (name == "dfma") return "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum / 32"
    if (name == "cycles_per_dfma") return "smsp__cycles_active.sum / DFMA"
    if (name == "dfma_share") return "DFMA / smsp__inst_executed.sum"
    if (name == "lds_per_dfma") return "smsp__inst_executed_op_shared_ld.sum / DFMA"
    if (name == "wavefronts_per_dfma") return "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum / DFMA"
    if (name == "fp64_pipe") return "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active"
    if (name == "ffma_share") return "FFMA / smsp__inst_executed.sum"
    if (name == "fma_pipe") return "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active"
    if (name == "issue_slots") return "smsp__inst_issued.sum / smsp__cycles_active.sum"
    if (name == "sectors_per_load") return "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum / ..._requests_..."
    if (name == "sectors_per_store") return "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum / ..._requests_..."
    if (name == "copy_requests") return "l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts*.sum"
    if (name == "sectors_per_copy") return "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts*.sum / ..._requests_..."
    if (name == "sectors_per_fetch") return "l1tex__t_sectors_pipe_tex_mem_texture.sum / smsp__inst_executed_op_texture.sum"
    if (name == "lds_per_ffma") return "smsp__inst_executed_op_shared_ld.sum / FFMA"
    if (name == "wavefronts_per_ffma") return "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum / FFMA"
    if (name == "wavefronts_per_lds") return "..._wavefronts_mem_shared_op_ld.sum / smsp__inst_executed_op_shared_ld.sum"
    if (name == "wavefronts_per_sts") return "..._wavefronts_mem_shared_op_st.sum / smsp__inst_executed_op_shared_st.sum"
    if (name == "microseconds") return "gpu__time_duration.sum"
    if (name ~ /^stall_/) return "..._issue_stalled_" substr(name, 7) "_per_issue_active.ratio"
    return name
}
